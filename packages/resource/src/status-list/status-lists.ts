/**
 * The status lists of one issuer, as far as tokens name them (draft-ietf-oauth-status-list §8): fetched when first asked
 * for, once for all who ask, believed by the issuer's keys alone, and used until their time is over.
 */
import { knownAlgorithms, jwtType, parseJwt } from '@grantor/protocol/jose'
import {
  decodeStatuses,
  readStatusListClaims,
  statusAt,
  type StatusList,
  statusListTtl,
  statusListMediaType,
  type StatusReference,
  validStatus,
} from '@grantor/protocol/status-list'
import type { KeySource } from '../issuer/key-source.ts'
import type { Outbound } from '../issuer/outbound.ts'
import { Lru } from '../lru.ts'
import type { Time } from '../time.ts'

/** 'unknown': no list says anything about the token, now or at all. */
export type ListedStatus = 'valid' | 'invalid' | 'unknown'

export interface StatusListsOptions {
  readonly issuer: string
  /** Where its lists may lie. */
  readonly origins: readonly string[]
  readonly keys: KeySource
  readonly outbound: Outbound
  readonly time: Time
  /** Milliseconds. */
  readonly leeway: number
}

/** Of the answer: 2²⁰ tokens with one random bit each are 170 KiB of it. */
const limit = { bytes: 2 * 1024 * 1024, milliseconds: 5000 }
/** Of a list when it is unpacked: 2²³ tokens of one bit. */
const mostBytes = 1024 * 1024
const mostLists = 128
/** Milliseconds. However long a list says that it may be used, and where it does not say. */
const longest = 300_000
/** However old a cache's copy is: it is not asked for more often than this. */
const shortest = 5_000
/** A list that could not be had is not asked for again before. */
const restAfterFailure = 2_000

/** A list, and a cache's copy of it, each say for their time what was true when the list was made. */
export const longestUse = 2000 * statusListTtl

interface HeldList {
  readonly list: StatusList | null
  /** It is what was there before, because none could be had since: it says of none that it is valid. */
  readonly failed?: boolean
  /** Monotonic: until when it is used, or a failure believed. */
  readonly until: number
}

export class StatusLists {
  readonly #options: StatusListsOptions
  readonly #held = new Lru<string, HeldList>(mostLists)
  readonly #coming = new Map<string, Promise<HeldList>>()

  constructor(options: StatusListsOptions) {
    this.#options = options
  }

  /** A plain value where the list is there. */
  statusOf(reference: StatusReference): ListedStatus | Promise<ListedStatus> {
    const held = this.#held.get(reference.uri)
    if (held !== undefined && held.until > this.#options.time.monotonic()) return statusIn(held, reference)
    return this.#fetchOnce(reference.uri).then((fetched) => statusIn(fetched, reference))
  }

  /** From memory, however old: what was invalid stays so. */
  isKnownInvalid(reference: StatusReference): boolean {
    const held = this.#held.get(reference.uri)
    return held !== undefined && statusIn({ ...held, failed: true }, reference) === 'invalid'
  }

  #fetchOnce(uri: string): Promise<HeldList> {
    const pending = this.#coming.get(uri)
    if (pending !== undefined) return pending
    // Whoever can make this issuer name addresses cannot make us ask them all at once.
    if (this.#coming.size >= mostLists || !this.#mayLieAt(uri)) return Promise.resolve({ list: null, until: 0 })
    const coming = this.#fetch(uri)
      .then((held) => {
        this.#held.set(uri, held)
        return held
      })
      .finally(() => this.#coming.delete(uri))
    this.#coming.set(uri, coming)
    return coming
  }

  #mayLieAt(uri: string): boolean {
    const parsed = URL.canParse(uri) ? new URL(uri) : null
    return parsed !== null && parsed.hash === '' && this.#options.origins.includes(parsed.origin)
  }

  async #fetch(uri: string): Promise<HeldList> {
    const { outbound, time, keys, issuer, leeway } = this.#options
    const askedAt = time.monotonic()
    const before = this.#held.get(uri)?.list ?? null
    const failed: HeldList = { list: before, failed: true, until: askedAt + restAfterFailure }
    const concern = { issuer, part: 'status_lists' } as const
    const answer = await outbound.fetchWhole({ url: uri, concern, headers: { accept: statusListMediaType } }, limit)
    const type = answer?.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    if (answer?.status !== 200 || type !== statusListMediaType) return failed
    const jwt = parseJwt(answer.text.trim())
    if (jwt === null || jwt.typ !== jwtType.statusList || !knownAlgorithms.includes(jwt.alg)) return failed
    // No list tells of a key that was dropped, and nobody else does while the feed is away: the set is read with the list.
    if (!(await keys.refresh())) return failed
    const key = await keys.seek(jwt.kid, jwt.alg)
    if (key.kind === 'error' || !key.value.verify(jwt.alg, jwt.signed, jwt.signature)) return failed
    const now = time.now()
    const claims = readStatusListClaims(jwt.claims, { uri, issuer, now, leeway })
    const bytes = claims === null ? null : await decodeStatuses(claims.lst, mostBytes)
    if (claims === null || bytes === null) return failed
    outbound.over(concern)
    const ttl = Math.min(1000 * (claims.ttl ?? longest), longest)
    // A cache's copy has used up some of its time; a clock that is ahead of the issuer's makes it no older than it can be.
    const left = Math.min(ttl, Math.max(shortest, ttl - (now - claims.issuedAt)))
    const expiry = claims.expiresAt === null ? Infinity : claims.expiresAt + leeway - now
    return { list: { bits: claims.bits, bytes }, until: askedAt + Math.min(left, expiry) }
  }
}

function statusIn({ list, failed = false }: HeldList, { idx }: StatusReference): ListedStatus {
  const status = list === null ? null : statusAt(list, idx)
  if (list === null || (failed && (status === null || status === validStatus))) return 'unknown'
  // Suspended, or whatever else an issuer means by it, or beyond the end of the list: only valid is valid (§8.3).
  return status === validStatus ? 'valid' : 'invalid'
}
