/** The options of a validator; unsafe combinations do not start. */
import type { JsonObject } from '@grantor/protocol/types'
import type { ClientCredentials } from '../issuer/client-token.ts'
import type { KeySource } from '../issuer/key-source.ts'
import { isAllowedAddress } from '../issuer/outbound.ts'
import type { IssuerFault } from '../issuer/issuer-faults.ts'
import type { Metrics } from '../metrics.ts'
import type { ProofReplays } from '../possession/proof-replays.ts'
import { clientCertHeaderProblem, type ClientCertHeader } from '../possession/shown-certificate.ts'
import type { FeedRelay } from '../revocation/feed-relay.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { Time } from '../time.ts'
import type { Caller } from './caller.ts'
import type { ForeignClaims } from './foreign-claims.ts'
import type { StalePolicy } from './presented-credentials.ts'
import type { Rejection } from './rejections.ts'

export interface IssuerOptions {
  /** The value of `iss`, byte for byte. */
  readonly issuer: string
  /** Accept the tokens of `{issuer}/t/*` too: the other tenants of a Grantor deployment. */
  readonly tenants?: boolean
  /** A client of this issuer, for the feed, for introspection and for reports. */
  readonly credentials?: ClientCredentials
  /**
   * Where revocations come from: the issuer's feed (the default), the status lists that its tokens name, a source of
   * your own, or nowhere. `none` has to be written, because then tokens are accepted until they expire.
   */
  readonly revocation?: 'feed' | 'status_lists' | 'none' | RevocationSource
  /**
   * Token Status Lists. Beside another source of revocations, lists are read when that source is too old, for tokens
   * that name one; `false`: never. `origins` where they are not served at the origin of the issuer.
   */
  readonly statusLists?: false | { readonly origins?: readonly string[] }
  readonly feed?: {
    /**
     * Seconds without news after which tokens are no longer accepted by the view: 45. Revocation within 60 s needs at
     * most 55.
     */
    readonly maxStaleness?: number
    /** `poll` for networks that cut streams. */
    readonly transport?: 'stream' | 'poll'
    /** Tell the issuer how far the feed was read, for receipts of revocations. Defaults to: yes. */
    readonly acknowledge?: boolean
    /** Most entries of the view: 250 000. */
    readonly capacity?: number
    /** Where a relay serves the feed, if it is not read at the issuer. The relay is trusted to withhold nothing. */
    readonly address?: string
    /** A relay that serves this feed to further validators. */
    readonly relay?: FeedRelay
  }
  /** Ask this issuer about opaque tokens. Defaults to: where there are credentials. */
  readonly introspection?: boolean
  /**
   * Accept API keys of this issuer (a Grantor), too: they live long, and whoever has one can use it. The issuer is
   * asked about them by introspection. Defaults to: no.
   */
  readonly apiKeys?: boolean
  /** Report failed validations to this issuer. Defaults to: where there is a feed. */
  readonly reports?: boolean
  /** Keys that are known beforehand, instead of the published set. */
  readonly keys?: KeySource
  /**
   * Accepted `typ` of the token's header: RFC 9068's `at+jwt` unless stated otherwise. With `JWT`, ID tokens, logout
   * tokens and security events are still refused: an access token must name its client and its id, and have no claims
   * of theirs. null accepts a header without `typ` (RFC 7519 §5.1), for issuers that are not Grantor.
   */
  readonly types?: readonly (string | null)[]
  /** For issuers that are not Grantor: which claims of their tokens stand for audience, scope and client. */
  readonly claims?: ForeignClaims
  /** For issuers that are not Grantor: reads the tenant from the claims. Left out, their tokens have none. */
  readonly tenant?: (claims: JsonObject) => string | null
}

export interface ValidatorOptions {
  /** What `aud` must name: this API. */
  readonly audience: string | readonly string[]
  readonly issuers: readonly IssuerOptions[]
  /** Seconds by which clocks may differ: 60. */
  readonly leeway?: number
  /** The policy of routes that do not state one: `refuse`. */
  readonly onStale?: StalePolicy
  /**
   * Seconds: the age of the revocation state up to which `serve` accepts tokens; 600 if `onStale` is `serve`. Routes may
   * use `serve` only where this is given. Beyond 60 s revocation in time is not promised, and the issuer is told so.
   */
  readonly serveStaleFor?: number
  /** Seconds that an active introspection answer is used: 30. */
  readonly introspectionCache?: number
  /** Tokens whose verification is remembered: 10 000. */
  readonly cacheSize?: number
  /** Options for DPoP proofs (RFC 9449), which are always checked. */
  readonly dpop?: {
    /** Ask for nonces made with this secret of at least 32 bytes, the same in every process of the API. */
    readonly nonceSecret?: Uint8Array
    /** Where used proofs are remembered; left out, in this process. */
    readonly replays?: ProofReplays
    /** Most proofs of about two minutes that this process remembers: 500 000. Beyond, proofs are refused with 503. */
    readonly capacity?: number
  }
  /** The header in which proxies pass on client certificates; left out, only the connection's own counts. */
  readonly clientCertHeader?: ClientCertHeader
  /** Called for every refusal, for logs. `caller` is null unless the token was proven genuine. */
  readonly onRejection?: (rejection: Rejection, caller: Caller | null) => void
  /**
   * Called for faults that keep the validator from its work (the issuer is away, its certificate not trusted, our
   * secret wrong, a clock off), once when they begin and once when they end. Left out, each is one line on stderr.
   */
  readonly onTrouble?: (fault: IssuerFault) => void
  readonly metrics?: Metrics
  readonly time?: Time
  /** An HTTP client to use instead, also for tests; `ca` then has no effect. */
  readonly fetch?: typeof globalThis.fetch
  /** Certificates of a private authority, PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[]
  /** Random numbers in [0, 1), for jitter. */
  readonly random?: () => number
}

/** Milliseconds: up to this age of the revocation state `serve` accepts tokens; 0 where no route may use `serve`. */
export const servedStaleFor = ({ onStale, serveStaleFor }: ValidatorOptions): number =>
  1000 * (serveStaleFor ?? (onStale === 'serve' ? 600 : 0))

/** Throws for options with which a validator would be unsafe or could never become ready. */
export function assertValidOptions({
  audience,
  issuers,
  leeway = 60,
  introspectionCache = 30,
  dpop,
  clientCertHeader,
}: ValidatorOptions): void {
  const demand = (holds: boolean, what: string) => {
    if (!holds) throw new TypeError(what)
  }
  demand(audience.length > 0, 'audience: name what the `aud` of a token must be')
  demand(issuers.length > 0, 'issuers: name at least one')
  demand(new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length, 'issuers: one is named twice')
  demand(leeway >= 0 && leeway <= 300, 'leeway: 0 to 300 seconds')
  demand(introspectionCache >= 0 && introspectionCache < 60, 'introspectionCache: under 60 seconds')
  demand((dpop?.nonceSecret?.length ?? 32) >= 32, 'dpop.nonceSecret: at least 32 bytes')
  const headerProblem = clientCertHeader === undefined ? null : clientCertHeaderProblem(clientCertHeader)
  demand(headerProblem === null, `clientCertHeader: ${headerProblem ?? ''}`)
  for (const one of issuers) {
    const {
      issuer,
      revocation = 'feed',
      credentials,
      introspection,
      apiKeys,
      feed,
      reports,
      statusLists,
      claims,
      types,
      tenants,
    } = one
    demand(isAllowedAddress(issuer), `issuer ${issuer}: https is required`)
    const foreign = revocation !== 'feed' && tenants !== true
    demand(
      claims !== undefined || !issuer.endsWith('/') || new URL(issuer).pathname === '/',
      `issuer ${issuer}: no slash at the end`,
    )
    demand(
      claims === undefined || foreign,
      `issuer ${issuer}: claims are declared of issuers that are not Grantor, which have no feed and no tenants`,
    )
    demand(foreign || types?.includes(null) !== true, `issuer ${issuer}: the tokens of a Grantor have a typ`)
    demand(
      feed?.address === undefined || (isAllowedAddress(feed.address) && !feed.address.endsWith('/')),
      `issuer ${issuer}: feed.address is an address with https, and no slash at the end`,
    )
    const stale = feed?.maxStaleness ?? 45
    demand(stale >= 5 && stale <= 55, `issuer ${issuer}: maxStaleness is 5 to 55 seconds`)
    demand(
      revocation !== 'feed' || credentials !== undefined,
      `issuer ${issuer}: the feed needs credentials; or write revocation: 'none'`,
    )
    demand(
      revocation !== 'status_lists' || statusLists !== false,
      `issuer ${issuer}: status lists are its only source of revocations`,
    )
    demand(
      statusLists === undefined || statusLists === false || (statusLists.origins ?? []).every(isOrigin),
      `issuer ${issuer}: statusLists.origins are origins, with https`,
    )
    demand(introspection !== true || credentials !== undefined, `issuer ${issuer}: introspection needs credentials`)
    demand(
      apiKeys !== true || (credentials !== undefined && introspection !== false),
      `issuer ${issuer}: apiKeys need credentials and introspection`,
    )
    demand(reports !== true || credentials !== undefined, `issuer ${issuer}: reports need credentials`)
  }
}

const isOrigin = (origin: string): boolean => isAllowedAddress(origin) && new URL(origin).origin === origin
