/** Whoever asks what happened sees at least what was committed before: every read of the log first lets it settle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventAdmin, openEventAdmin } from '../../src/admin/events.ts'
import { root } from '../support/deployment.ts'

/** A log that writes down what is asked of it, and holds nothing. */
function emptyLog() {
  const asked: string[] = []
  const noted =
    <T>(name: string, answer: T) =>
    (): Promise<T> => (asked.push(name), Promise.resolve(answer))
  const events = {
    position: noted('settled', 1),
    head: noted('head', null),
    after: noted('after', []),
    before: noted('before', []),
    find: noted('find', null),
    watch: () => () => {},
  }
  const directory = { currentCatalogue: () => Promise.resolve({}) }
  return { asked, admin: openEventAdmin({ store: { events }, directory } as never) }
}

const reads: Readonly<Record<string, (admin: EventAdmin) => Promise<unknown>>> = {
  after: (admin) => admin.after(root, 0, 10),
  last: (admin) => admin.last(root, 10),
  search: (admin) => admin.search(root, { limit: 10, descending: true, filter: {} } as never),
  find: (admin) => admin.find(root, '0193a0e4-0000-7000-8000-000000000000'),
  awaitAfter: (admin) => admin.awaitAfter(root, 0, { limit: 10, patience: 0 }),
  head: (admin) => admin.head(root),
}

for (const [name, read] of Object.entries(reads))
  test(`${name} looks at a log that is settled`, async () => {
    const { asked, admin } = emptyLog()
    await read(admin)
    const [first, ...rest] = asked
    assert.equal(first, 'settled')
    assert.ok(rest.length > 0 && !rest.includes('settled'), rest.join(' '))
  })
