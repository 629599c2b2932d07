/** The names of events that are searched for by a part of them: those of the log, all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventNames } from '@grantor/protocol/events'
import { eventNamesLike } from '../src/pages/audit/event-names.ts'

test('a part of a name finds all events that have it, a whole name that one, and nonsense none', () => {
  assert.deepEqual(eventNamesLike(' Session.* '), ['session.started', 'session.ended'])
  assert.deepEqual(eventNamesLike('session.'), ['session.started', 'session.ended'])
  assert.deepEqual(eventNamesLike('client.updated'), ['client.updated'])
  assert.deepEqual(eventNamesLike('nonsense'), [])
  assert.deepEqual(eventNamesLike('constructor'), [])
  assert.deepEqual(eventNamesLike('').toSorted(), eventNames.toSorted())
})
