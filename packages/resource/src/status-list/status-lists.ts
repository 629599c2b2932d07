/**
 * The status lists of one issuer that tokens name (draft-ietf-oauth-status-list §8): fetched when first needed, once
 * for all requests that wait, verified by the issuer's keys alone, and used until they expire.
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
  /** The origins from which lists may be fetched. */
  readonly origins: readonly string[]
  readonly keys: KeySource
  readonly outbound: Outbound
  readonly time: Time
  /** Milliseconds. */
  readonly leeway: number
}

/** Limits of the answer: a list of 2²⁰ tokens with one random bit each takes 170 KiB. */
const limit = { bytes: 2 * 1024 * 1024, milliseconds: 5000 }
/** Size of an unpacked list: 2²³ tokens of one bit. */
const mostBytes = 1024 * 1024
const mostLists = 128
/** Milliseconds: at most this long is a list used, also where it does not state a `ttl`. */
const longest = 300_000
/** Milliseconds: a list is used for at least this long, however old a cache's copy of it is. */
const shortest = 5_000
/** Milliseconds: a list that could not be fetched is not tried again earlier. */
const restAfterFailure = 2_000

/** Milliseconds from a revocation until no list is used that lacks it: once the `ttl` for a cache's copy, once here. */
export const longestUse = 2000 * statusListTtl

interface HeldList {
  readonly list: StatusList | null
  /** The list could not be fetched again: an older one still says which tokens are invalid, but not which are valid. */
  readonly failed?: boolean
  /** Monotonic: until when the list is used, or a failure not retried. */
  readonly until: number
}

export class StatusLists {
  readonly #options: StatusListsOptions
  readonly #held = new Lru<string, HeldList>(mostLists)
  readonly #coming = new Map<string, Promise<HeldList>>()

  constructor(options: StatusListsOptions) {
    this.#options = options
  }

  /** A plain value where the list is in memory. */
  statusOf(reference: StatusReference): ListedStatus | Promise<ListedStatus> {
    const held = this.#held.get(reference.uri)
    if (held !== undefined && held.until > this.#options.time.monotonic()) return statusIn(held, reference)
    return this.#fetchOnce(reference.uri).then((fetched) => statusIn(fetched, reference))
  }

  /** Whether a list in memory, however old, says that the token is invalid: invalid tokens stay so. */
  isKnownInvalid(reference: StatusReference): boolean {
    const held = this.#held.get(reference.uri)
    return held !== undefined && statusIn({ ...held, failed: true }, reference) === 'invalid'
  }

  #fetchOnce(uri: string): Promise<HeldList> {
    const pending = this.#coming.get(uri)
    if (pending !== undefined) return pending
    // Bounded, so that somebody who makes the issuer's tokens name many addresses cannot make us fetch them all at
    // once.
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
    // A list does not tell of dropped keys, and while the feed is away nothing else does: so the key set is read, too.
    if (!(await keys.refresh())) return failed
    const key = await keys.seek(jwt.kid, jwt.alg)
    if (key.kind === 'error' || !key.value.verify(jwt.alg, jwt.signed, jwt.signature)) return failed
    const now = time.now()
    const claims = readStatusListClaims(jwt.claims, { uri, issuer, now, leeway })
    const bytes = claims === null ? null : await decodeStatuses(claims.lst, mostBytes)
    if (claims === null || bytes === null) return failed
    outbound.over(concern)
    const ttl = Math.min(1000 * (claims.ttl ?? longest), longest)
    // A cache's copy is already older. The lower bound also protects against a clock here that is ahead of the
    // issuer's.
    const left = Math.min(ttl, Math.max(shortest, ttl - (now - claims.issuedAt)))
    const expiry = claims.expiresAt === null ? Infinity : claims.expiresAt + leeway - now
    return { list: { bits: claims.bits, bytes }, until: askedAt + Math.min(left, expiry) }
  }
}

function statusIn({ list, failed = false }: HeldList, { idx }: StatusReference): ListedStatus {
  const status = list === null ? null : statusAt(list, idx)
  if (list === null || (failed && (status === null || status === validStatus))) return 'unknown'
  // Every status but valid counts as invalid (§8.3): suspended, one of the issuer's own, or an index beyond the list.
  return status === validStatus ? 'valid' : 'invalid'
}
