/** The guards and the results of an issuance, as columns of the arrays that are sent to PostgreSQL. */
import type { Columns } from '../../../verbs/columns.ts'
import { asMaybeText, asText, asWords } from '../../../verbs/row.ts'
import type { Issuance } from '../../../verbs/tokens/tokens.ts'

export const basisColumns: Columns<Issuance> = {
  tenant: ['text', ({ basis }) => basis.tenant],
  revision: ['bigint', ({ basis }) => basis.revision],
  client: ['text', ({ basis }) => basis.client?.id],
  version: ['bigint', ({ basis }) => basis.client?.version],
}
export const grantColumns: Columns<Issuance> = {
  at: ['bigint', ({ at }) => at],
  grant_id: ['text', ({ grantId }) => grantId],
  binding: ['text', ({ binding }) => asMaybeText(binding)],
}
export const spendColumns: Columns<Issuance> = {
  handle: ['text', ({ spend }) => spend?.handle],
  successor: ['text', ({ successor }) => successor?.handle],
  spent_for: ['text', ({ spend }) => (spend !== null && 'spentFor' in spend ? spend.spentFor : null)],
}
export const proofColumns: Columns<Issuance> = {
  proof: ['text', ({ proof }) => proof?.handle],
  proof_until: ['bigint', ({ proof }) => proof?.expiresAt],
}

export interface Insertion<T> {
  readonly into: string
  rowsOf(issuance: Issuance): readonly T[]
  readonly columns: Columns<T>
}
const insertion = <T>(ofOneTable: Insertion<T>): Insertion<unknown> => ofOneTable as Insertion<unknown>
const ofTenant = <T>({ basis: { tenant } }: Issuance, row: T | null | undefined) => (row ? [{ ...row, tenant }] : [])

/** The rows that an issuance inserts; besides, it marks what it spent. */
export const insertions = [
  insertion({
    into: 'refresh_tokens',
    rowsOf: (issuance) => ofTenant(issuance, issuance.successor),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      handle: ['text', ({ handle }) => handle],
      grant_id: ['text', ({ grantId }) => grantId],
      scope: ['text', ({ scope }) => scope],
      salt: ['bytea', ({ salt }) => salt],
      expires_at: ['bigint', ({ expiresAt }) => expiresAt],
    },
  }),
  insertion({
    into: 'opaque_tokens',
    rowsOf: (issuance) => ofTenant(issuance, issuance.opaque),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      handle: ['text', ({ handle }) => handle],
      jti: ['text', ({ jti }) => jti],
      client_id: ['text', ({ clientId }) => clientId],
      subject: ['text', ({ subject }) => subject],
      grant_id: ['text', ({ grantId }) => grantId],
      audience: ['text', ({ audience }) => audience],
      scope: ['text', ({ scope }) => asWords(scope)],
      issued_at: ['bigint', ({ issuedAt }) => issuedAt],
      expires_at: ['bigint', ({ expiresAt }) => expiresAt],
      claims: ['text', ({ claims }) => asText(claims)],
    },
  }),
  insertion({
    into: 'status_entries',
    rowsOf: (issuance) => ofTenant(issuance, issuance.statusEntry),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      list: ['text', ({ list }) => list],
      idx: ['bigint', ({ idx }) => idx],
      client_id: ['text', ({ clientId }) => clientId],
      grant_id: ['text', ({ grantId }) => grantId],
      session_id: ['text', ({ sessionId }) => sessionId],
      issued_at: ['bigint', ({ issuedAt }) => issuedAt],
    },
  }),
  insertion({
    into: 'events_pending',
    rowsOf: ({ entries }) => entries,
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      at: ['bigint', ({ at }) => at],
      feed: ['bigint', ({ feed }) => feed],
      subject: ['text', ({ subject }) => subject],
      body: ['text', ({ body }) => body],
    },
  }),
]
