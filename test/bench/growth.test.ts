/** What the growth bench fills a database with is what the server writes: it can be used, and its log verifies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledServer } from '../../bench/growth/filled-server.ts'
import { operations } from '../../bench/growth/operations.ts'
import { extrapolated } from '../../bench/growth/report.ts'
import { applyLoad } from '../../bench/load.ts'

for (const on of ['SQLite', 'PostgreSQL']) {
  test(`${on}: copies of what the server wrote are good for all that is measured, and the log verifies`, async () => {
    await using stack = new AsyncDisposableStack()
    const server = await filledServer(on, { grants: 100, people: 10, events: 300 }, stack)
    for (const { name, prepare } of operations) {
      const batch = await prepare(server, 2)
      const { failures } = await applyLoad({ port: server.contestant.port, connections: 2, ...batch })
      assert.equal(failures, 0, name)
    }
  })
}

test('what grows by the logarithm is read at 10⁷ on its line', () => {
  assert.ok(Math.abs(extrapolated([1e4, 1e5, 1e6], [1, 1.1, 1.2]) - 1.3) < 1e-9)
  assert.equal(extrapolated([1e4, 1e5, 1e6], [1, 1, 1]), 1)
})
