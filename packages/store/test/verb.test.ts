/** The sql template: values never become text. */
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../src/verbs/verb.ts'

const statement = (a: string, b: number) => sql`select * from t where a = ${a} and b = ${b}`

test('values become placeholders in order, whatever they hold', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), (a, b) => {
      const { text, values } = statement(a, b)
      equal(text, 'select * from t where a = ?1 and b = ?2')
      deepEqual(values, [a, b])
    }),
  )
})

test('one place in the source has one text, by identity', () => {
  equal(Object.is(statement('a', 1).text, statement('b', 2).text), true)
})
