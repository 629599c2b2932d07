/** When clients were last given a token: noted with every token, written by the minute and when a node stops. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { ClientUse, Store } from '@grantor/store'
import { openClientUses } from '../../src/background/client-uses.ts'
import { asking, databases, openDeployment, root } from '../support/deployment.ts'
import { declarePeople } from '../support/person.ts'

const credentials = 'grant_type=client_credentials&scope=invoices:read'

for (const database of databases) {
  test(`a client that is given a token was used, and one that is refused was not, on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const lastUse = async () => (await deployment.store.clients.find(root, 'svc'))?.lastUsedAt ?? null
    const refusing = deployment.node()
    assert.equal((await refusing.token(asking(credentials, { secret: 'wrong' }))).kind, 'error')
    assert.equal((await refusing.token(asking('grant_type=client_credentials&scope=no:such'))).kind, 'error')
    await refusing.close()
    assert.equal(await lastUse(), null)
    const node = deployment.node()
    assert.equal((await node.token(asking(credentials))).kind, 'ok')
    assert.equal(await lastUse(), null, 'a token waits for nothing more than itself')
    await node.close()
    assert.notEqual(await lastUse(), null)
  })
}

describe('what is noted', () => {
  const client = (id: string) => ({ tenant: root, id }) as Client
  const opened = (noteUses: Store['clients']['noteUses']) =>
    openClientUses({ store: { clients: { noteUses } as Store['clients'] } })

  test('many tokens of a client are one note, of the last', async () => {
    const written: ClientUse[][] = []
    const uses = opened(async (them) => void written.push([...them]))
    // The directory remembers a client anew when it changed.
    const [before, after] = [client('web'), client('web')]
    for (let at = 1; at <= 1_000; at++) uses.note(at < 500 ? before : after, at as Instant)
    await uses.flush()
    await uses.flush()
    assert.deepEqual(written, [[{ tenant: root, id: 'web', at: 1_000 }]])
  })

  test('a great many clients are written in parts, and an outage takes no memory', async () => {
    const sizes: number[] = []
    const uses = opened(async (them) => void sizes.push(them.length))
    for (let n = 0; n < 450; n++) uses.note(client(`c${n}`), 1 as Instant)
    await uses.flush()
    assert.deepEqual(sizes, [200, 200, 50])
    const away = opened(() => Promise.reject(new Error('away')))
    away.note(client('web'), 1 as Instant)
    await assert.rejects(away.flush())
    await away.flush()
    await away.close()
  })

  const settled = () => new Promise((resolve) => setImmediate(resolve))

  test('twenty thousand are written before their minute is over', async () => {
    const written: number[] = []
    const uses = opened(async (them) => void written.push(them.length))
    for (let n = 0; n < 19_999; n++) uses.note(client(`c${n}`), 1 as Instant)
    await settled()
    assert.deepEqual(written, [])
    uses.note(client('c19999'), 1 as Instant)
    while (written.length < 100) await settled()
    assert.deepEqual(new Set(written), new Set([200]))
    await uses.close()
  })

  test('while nothing can be written, twice as many are kept and no more', async () => {
    for (const [more, after] of [
      [40_000, 40_000],
      [40_001, 0],
    ] as const) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let written = 0
      const uses = opened(async (them) => {
        await promise
        written += them.length
      })
      for (let n = 0; n < 20_000 + more; n++) uses.note(client(`c${n}`), 1 as Instant)
      resolve()
      await uses.close()
      assert.equal(written, 20_000 + after)
    }
  })
})
