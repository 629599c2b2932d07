/**
 * How a call travels to the writer. A thread copies what it is sent, object by object and name by name; the one call
 * that every token makes is flattened to a row of plain values, which costs a tenth of that.
 */
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Issuance } from '../../verbs/tokens/tokens.ts'
import type { Call } from './group-writer.ts'

type Row = readonly [
  tenant: TenantId,
  revision: number,
  clientId: string,
  version: number,
  at: Instant,
  loggedAt: Instant,
  feed: 0 | 1,
  subject: string | null,
  body: string,
]
/** A row stands for an issuance that stores and spends nothing and has one event, in the tenant of its basis. */
export type Parcel = Call | Row

const isRow = (parcel: Parcel): parcel is Row => parcel.length === 9

export function pack(call: Call): Parcel {
  const [name, args, breakAt] = call
  if (name !== 'tokens.issue' || breakAt !== -1) return call
  const { basis, at, grantId, spend, successor, opaque, entries } = args[0] as Issuance
  const [entry] = entries
  const bare = grantId === null && spend === null && successor === null && opaque === null && entries.length === 1
  if (!bare || entry === undefined || entry.tenant !== basis.tenant || basis.client === null) return call
  const { id, version } = basis.client
  return [basis.tenant, basis.revision, id, version, at, entry.at, entry.feed, entry.subject, entry.body]
}

export function unpack(parcel: Parcel): Call {
  if (!isRow(parcel)) return parcel
  const [tenant, revision, clientId, version, at, loggedAt, feed, subject, body] = parcel
  const issuance: Issuance = {
    basis: { tenant, revision, client: { id: clientId, version } },
    at,
    grantId: null,
    spend: null,
    successor: null,
    opaque: null,
    entries: [{ tenant, at: loggedAt, feed, subject, body }],
  }
  return ['tokens.issue', [issuance], -1]
}
