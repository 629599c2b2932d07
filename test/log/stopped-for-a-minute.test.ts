/** A node that stands still for a whole minute in the middle of sealing holds up nobody, and wakes up right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { service } from '../faults/service-client.ts'
import { until } from '../faults/until.ts'
import { openFleet } from '../fleet/fleet.ts'
import { declared, tokenOf } from '../fleet/objects.ts'

/** Longer than any lease, heartbeat or statement here is given. */
const standstill = 60_000

test('a node stopped with SIGSTOP for a minute while it seals: the other seals all along, and the log verifies', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await using two = await fleet.start()
  const question = { basic: service, form: { grant_type: 'client_credentials', scope: 'invoices:read' } }
  // A connection that waits this long may be closed before it is answered; that is an end, too.
  const asked = () => two.send('/t/acme/token', question).catch(() => null)
  const sealing = Promise.all(Array.from({ length: 50 }, asked))
  await tokenOf(two, 'acme')
  process.kill(two.server.pid, 'SIGSTOP')
  const stoppedAt = performance.now()
  try {
    let last = await headOf()
    while (performance.now() - stoppedAt < standstill) {
      await tokenOf(one, 'acme')
      const head = await headOf()
      assert.ok(head > last, `the log stood still at ${last}`)
      last = head
      // The minute is the subject of this test; what happens in it need not be a load.
      await pass(3_000)
    }
  } finally {
    process.kill(two.server.pid, 'SIGCONT')
  }
  // Whoever waited all that time gets a token, or hears that there is none to be had; nobody is left hanging.
  for (const answer of await sealing) {
    if (answer !== null) assert.ok(answer.status === 200 || answer.status === 503, answer.body)
  }
  // On a new connection, if need be: those of before the standstill have outlived their time.
  await until(asked, (answer) => answer?.status === 200)
  assert.equal((await fleet.run(['audit', 'verify', '--tenant', 'acme'])).code, 0)

  async function headOf(): Promise<number> {
    const { stdout } = await fleet.run(['audit', 'head', '--tenant', 'acme', '--json'])
    return (JSON.parse(stdout) as { seq: number }).seq
  }
})
