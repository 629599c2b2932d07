/** Token Status Lists: indexes for tokens, leased in blocks, and looking up the indexes of revoked tokens. */
import type { Instant, TenantId } from '@grantor/protocol/types'

/** Milliseconds for which a list is still served after its last token expired: a validator's leeway, and caches. */
export const statusListKeeping = 10 * 60_000

/** A token's index in a list, stored with the token, and the identifiers by which it may be revoked. */
export interface StatusEntry {
  readonly list: string
  readonly idx: number
  readonly clientId: string
  readonly grantId: string | null
  /** The `sid` of the token. */
  readonly sessionId: string | null
  readonly issuedAt: Instant
}

export type StatusPlace = Pick<StatusEntry, 'list' | 'idx'>

/** The lessee may assign each of `first` … `first + size − 1` once, to tokens that expire by `until`. */
export interface StatusBlock {
  readonly list: string
  readonly first: number
}

export interface NewStatusBlock {
  readonly tenant: TenantId
  readonly size: number
  readonly until: Instant
  /** The name of the list to begin if no other has room. */
  readonly newList: string
}

export interface StatusListRow {
  readonly id: string
  readonly until: Instant
  /** Every token in it is revoked, recorded or not: the database was restored, or the clock set back. */
  readonly endedAt: Instant | null
}

/** All listed tokens of a grant, session, person or client, or of a whole list, that were issued up to a time. */
export interface ListedPopulation {
  readonly dimension: 'grant' | 'session' | 'subject' | 'client' | 'list'
  readonly key: string
  readonly issuedUpTo: Instant
}

export interface StatusListStore {
  /** One commit; no index is ever leased twice. */
  lease(block: NewStatusBlock): Promise<StatusBlock>
  /** Lists with a token that may expire after `after`, by name. */
  lists(tenant: TenantId, after: Instant): Promise<readonly StatusListRow[]>
  /** The indexes of all tokens in these populations. */
  places(tenant: TenantId, populations: readonly ListedPopulation[]): Promise<readonly StatusPlace[]>
}
