/** Token Status Lists: places for tokens, leased in blocks, and which of them something that ended takes along. */
import type { Instant, TenantId } from '@grantor/protocol/types'

/** Milliseconds that a list is still served after the last of its tokens has ended: a validator's leeway, and caches. */
export const statusListKeeping = 10 * 60_000

/** A token's place in a list, written with the token, and what of it may end. */
export interface StatusEntry {
  readonly list: string
  readonly idx: number
  readonly clientId: string
  readonly grantId: string | null
  /** As its `sid` says. */
  readonly sessionId: string | null
  readonly issuedAt: Instant
}

export type StatusPlace = Pick<StatusEntry, 'list' | 'idx'>

/** Who leases it may give away each of `first` … `first + size − 1` once, to tokens that end by `until`. */
export interface StatusBlock {
  readonly list: string
  readonly first: number
}

export interface NewStatusBlock {
  readonly tenant: TenantId
  readonly size: number
  readonly until: Instant
  /** The name of the list that is begun where no other has room. */
  readonly newList: string
}

export interface StatusListRow {
  readonly id: string
  readonly until: Instant
  /** Everything in it is dead, whether on record or not: the database was restored, or the clock set back. */
  readonly endedAt: Instant | null
}

/** All listed tokens of a grant, session, person or client, or of a whole list, that were issued up to a time. */
export interface ListedPopulation {
  readonly dimension: 'grant' | 'session' | 'subject' | 'client' | 'list'
  readonly key: string
  readonly issuedUpTo: Instant
}

export interface StatusListStore {
  /** One commit; no place is ever leased twice. */
  lease(block: NewStatusBlock): Promise<StatusBlock>
  /** Those with a token that may end after `after`, by name. */
  lists(tenant: TenantId, after: Instant): Promise<readonly StatusListRow[]>
  /** The places of all tokens in these populations. */
  places(tenant: TenantId, populations: readonly ListedPopulation[]): Promise<readonly StatusPlace[]>
}
