/** A stream that has ended is told nothing more, however the news falls between its end and its close. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { type FeedFrame, feedPaths, feedScope } from '@grantor/protocol/feed'
import { ok } from '@grantor/protocol/result'
import { testbed } from '../http/testbed.ts'

const reset: FeedFrame = { kind: 'reset', reason: 'retention' }
const heartbeat: FeedFrame = { kind: 'hb', epoch: 'e', pos: 1, after: 1, asOf: 1 } as FeedFrame

for (const last of ['reset', 'draining'] as const) {
  test(`news after the end (${last}) harm nobody`, async (t) => {
    let tell: (frames: readonly FeedFrame[]) => void = () => {}
    const feed: Partial<Authority['feed']> = {
      async open(_reader, send) {
        tell = send
        send([heartbeat])
        return () => {}
      },
    }
    const inspect = async () => ok({ active: true, aud: 'https://as.example', scope: feedScope })
    let draining = false
    const acknowledgements = { countSilent: () => () => {} } as unknown as Authority['acknowledgements']
    const proofs = {
      now: () => 0,
      use: () => Promise.resolve(false),
      nonces: () => null,
      algs: async () => [],
    } as unknown as Authority['proofs']
    const bed = testbed(
      {
        feed: feed as Authority['feed'],
        acknowledgements,
        admin: { tokens: { inspect } } as unknown as Authority['admin'],
        proofs,
      },
      { draining: () => draining },
    )
    await bed.app.listen({ host: '127.0.0.1', port: 0 })
    t.after(() => bed.app.close())
    const { port } = bed.app.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${feedPaths.stream}`, {
      headers: { authorization: 'Bearer t' },
    })
    assert.equal(answer.status, 200)
    draining = last === 'draining'
    tell([last === 'reset' ? reset : heartbeat])
    // An error that nobody waits for would end the process, and with it this test.
    for (let n = 0; n < 3; n++) tell([heartbeat])
    const heard = await answer.text()
    assert.equal(heard.match(/event: hb/g)?.length ?? 0, last === 'reset' ? 1 : 2, heard)
  })
}
