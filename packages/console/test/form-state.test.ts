/** What a form holds: what is kept of it over a sign-in, and what it begins again with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begun, begunAgain, draftOf } from '../src/app/forms/form-state.ts'

const base = { name: 'Shop', secret: '', disabled: false }

test('a draft says what the form began with, so that a change of others in between is no change of mine', () => {
  const typed = { ...begun(base, '"1"'), values: { ...base, name: 'Mine' } }
  const draft = draftOf(typed, []) ?? assert.fail('nothing is kept')
  const theirs = { ...base, disabled: true }
  const back = begun(theirs, '"2"', draft)
  assert.deepEqual(back.base, base)
  assert.deepEqual(back.values, { ...base, name: 'Mine' })
  assert.equal(back.version, '"1"', 'a save that is based on it is refused')
  assert.ok(back.restored)
})

test('nothing is kept of a form in which nothing is typed', () => {
  assert.equal(draftOf(begun(base, null), ['secret']), null)
})

test('secrets are kept nowhere, and the form says so when it is back', () => {
  const typed = { ...begun(base, '"1"'), values: { ...base, name: 'Mine', secret: 'of-ours' } }
  const draft = draftOf(typed, ['secret']) ?? assert.fail('nothing is kept')
  assert.doesNotMatch(JSON.stringify(draft), /of-ours/)
  const back = begun(base, '"1"', draft)
  assert.deepEqual(back.values, { ...base, name: 'Mine' })
  assert.ok(back.lacksSecrets)
  assert.equal(draftOf({ ...typed, values: { ...base, name: 'Mine' } }, ['secret'])?.lacksSecrets, false)
})

test('what is typed while it is being saved stays, and is a change of what was saved', () => {
  const sent = { ...base, name: 'Mine ' }
  const typedSince = { ...begun(base, '"1"'), values: { ...sent, disabled: true } }
  const saved = begunAgain(typedSince, { base: { ...base, name: 'Mine' }, version: '"2"', sent })
  assert.deepEqual(saved.values, { ...base, name: 'Mine', disabled: true })
  assert.deepEqual([saved.base.disabled, saved.version], [false, '"2"'])
})

test('where nothing says what was sent, a form begins again with what it is given', () => {
  const typed = { ...begun(base, '"1"'), values: { ...base, name: 'Mine' } }
  assert.deepEqual(begunAgain(typed, { base }).values, base)
  const merged = begunAgain(typed, { base, values: { ...base, disabled: true } })
  assert.deepEqual(merged.values, { ...base, disabled: true })
})

test('what came back is said as long as there is something of it', () => {
  const draft = draftOf({ ...begun(base, '"1"'), values: { ...base, name: 'Mine' } }, []) ?? assert.fail()
  const back = begun(base, '"1"', draft)
  assert.ok(begunAgain(back, { base: { ...base, disabled: true }, values: back.values }).restored)
  assert.ok(!begunAgain(back, { base }).restored)
})
