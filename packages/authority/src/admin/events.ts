/** The event log as an operator reads, verifies and vouches for it. */
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'
import { hex, verifyLog } from './verify-log.ts'
import { findEvent, searchEvents } from './event-search.ts'

export const eventAdmin = (hands: Hands): Admin['events'] => ({
  async after(tenant, seq, limit) {
    await settled(hands)
    return ok(await hands.store.events.after(tenant, seq, limit))
  },
  async last(tenant, count) {
    await settled(hands)
    const head = await hands.store.events.head(tenant)
    return ok(head === null ? [] : await hands.store.events.after(tenant, Math.max(0, head.seq - count), count))
  },
  async search(tenant, search) {
    await settled(hands)
    return searchEvents(hands.store.events, tenant, search)
  },
  async find(tenant, id) {
    await settled(hands)
    const found = await findEvent(hands.store.events, tenant, id)
    return found === null ? err({ reason: 'absent', what: `event ${id}` }) : ok(found)
  },
  watch: (wake) => hands.store.events.watch(wake),
  verify: async (tenant, kept) => ok(await verifyLog(hands.store, tenant, kept)),
  head: (tenant) => signedHead(tenant, hands),
})

/** Whoever asks what happened sees at least what was committed before they asked, their own acts among it. */
const settled = (hands: Hands): Promise<number> => hands.store.events.position()

/** A JWS over the head: whoever keeps it elsewhere can later show that the log was cut or rewritten, and that we said so. */
async function signedHead(tenant: TenantId, hands: Hands): ReturnType<Admin['events']['head']> {
  const catalogue = await hands.directory.currentCatalogue(tenant)
  if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
  await settled(hands)
  const head = await hands.store.events.head(tenant)
  if (head === null) return ok(null)
  const signer = await hands.keyring.signer(catalogue, 'ES256')
  const claims = { seq: head.seq, hash: hex(head.hash) }
  const signed = signer.sign('grantor-log-head+jwt', {
    iss: hands.issuers.issuerOf(tenant),
    iat: Math.floor(hands.clock.now() / 1000),
    tenant,
    epoch: await hands.store.epoch(),
    ...claims,
  })
  return ok({ ...claims, signed })
}
