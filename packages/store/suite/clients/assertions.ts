/** Client assertions are used once: by one client of one tenant, whoever else comes at the same time. */
import { deepEqual, equal } from 'node:assert/strict'
import type { SpentAssertion } from '../../src/contract/clients/assertions.ts'
import { tombstoneKeeping } from '../../src/verbs/sweep.ts'
import { race } from '../races.ts'
import { acme, at, handle, other } from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'

const used = (more: Partial<SpentAssertion> = {}): SpentAssertion => ({
  tenant: acme,
  clientId: 'web',
  handle: handle('a'),
  expiresAt: at(5_000),
  ...more,
})

export function assertionSuite(open: OpenEngine): void {
  storeTest(open, 'RFC 7523 §3: of 50 that use one assertion at once one is first', async ({ store }) => {
    deepEqual(await race(50, () => store.assertions.spend(used())), { spent: 1, 'already-spent': 49 })
  })

  storeTest(open, 'the same identifier of another client or tenant is another assertion', async ({ store }) => {
    equal(await store.assertions.spend(used()), 'spent')
    equal(await store.assertions.spend(used({ clientId: 'other' })), 'spent')
    equal(await store.assertions.spend(used({ tenant: other })), 'spent')
    equal(await store.assertions.spend(used({ handle: handle('b') })), 'spent')
    equal(await store.assertions.spend(used({ expiresAt: at(9_000) })), 'already-spent')
  })

  storeTest(open, 'RFC 9449 §11.1: an assertion and the proof beside it are used up together', async ({ store }) => {
    const proof = { handle: handle('p'), expiresAt: at(5_000) }
    const racing = await race(20, (n) => store.assertions.spend(used({ handle: handle(`a${n}`), proof })))
    deepEqual(racing, { spent: 1, 'proof-used': 19 })
    equal(await store.tokens.useProof(acme, proof), false)
    const left = await race(20, (n) => store.assertions.spend(used({ handle: handle(`a${n}`) })))
    deepEqual(left, { spent: 19, 'already-spent': 1 })
    const unused = { handle: handle('q'), expiresAt: at(5_000) }
    equal(await store.assertions.spend(used({ handle: handle('a0'), proof: unused })), 'already-spent')
    equal(await store.tokens.useProof(acme, unused), true, 'a used assertion leaves the proof good')
  })

  storeTest(
    open,
    'a used assertion is known a day longer than it is good, whatever the clock says',
    async ({ store }) => {
      await store.assertions.spend(used())
      equal(await store.sweep(at(5_000 + tombstoneKeeping - 1), 10), 0)
      equal(await store.assertions.spend(used()), 'already-spent')
      equal(await store.sweep(at(5_000 + tombstoneKeeping), 10), 1)
      equal(await store.assertions.spend(used()), 'spent')
    },
  )
}
