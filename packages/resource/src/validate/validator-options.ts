/** What a validator is made of, in the words of whoever builds an API; unsafe combinations do not start. */
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
  /** As in `iss`, byte for byte. */
  readonly issuer: string
  /** Accept the tokens of `{issuer}/t/*` too: the other tenants of a Grantor deployment. */
  readonly tenants?: boolean
  /** A client of this issuer, for the feed, for introspection and for reports. */
  readonly credentials?: ClientCredentials
  /**
   * Where revocations come from: the issuer's feed (the default), the status lists that its tokens name, a source of
   * one's own, or nowhere. `none` has to be written: such tokens live until they expire.
   */
  readonly revocation?: 'feed' | 'status_lists' | 'none' | RevocationSource
  /**
   * Token Status Lists. With another source of revocations they are looked at when it is too old, for tokens that name
   * one; `false`: never. `origins` where they do not lie at the origin of the issuer.
   */
  readonly statusLists?: false | { readonly origins?: readonly string[] }
  readonly feed?: {
    /** Seconds without news before tokens are no longer accepted by the view. 45; the bound of 60 s needs under 55. */
    readonly maxStaleness?: number
    /** `poll` for networks that cut streams. */
    readonly transport?: 'stream' | 'poll'
    /** Tell the issuer how far it has heard, for the receipts of those who revoke. Defaults to: yes. */
    readonly acknowledge?: boolean
    /** Most entries of the view: 250 000. */
    readonly capacity?: number
    /** Where a relay serves the feed, if it is not read at the issuer. The relay is trusted to withhold nothing. */
    readonly address?: string
    /** Handed what is heard, to serve it to further validators. */
    readonly relay?: FeedRelay
  }
  /** Opaque tokens are asked about here. Defaults to: where there are credentials. */
  readonly introspection?: boolean
  /**
   * Accept the API keys of this issuer, a Grantor's, too: they live long, and whoever has one can use it. They are asked
   * about by introspection. Defaults to: no.
   */
  readonly apiKeys?: boolean
  /** Hand failed validations in to this issuer. Defaults to: where there is a feed. */
  readonly reports?: boolean
  /** Keys that are known beforehand, instead of the published set. */
  readonly keys?: KeySource
  /**
   * Accepted `typ` of the token's header: RFC 9068's `at+jwt` unless stated otherwise. With `JWT` an ID token, a logout
   * token or a security event is still none: an access token says who it was issued to and its id, and nothing of theirs.
   * null: none at all (RFC 7519 §5.1), for issuers that are not Grantor.
   */
  readonly types?: readonly (string | null)[]
  /** For issuers that are not Grantor: which claims of their tokens stand for audience, scope and client. */
  readonly claims?: ForeignClaims
  /** For issuers that are not Grantor: the tenant in their terms. Left out, their tokens have none. */
  readonly tenant?: (claims: JsonObject) => string | null
}

export interface ValidatorOptions {
  /** What `aud` must name: this API. */
  readonly audience: string | readonly string[]
  readonly issuers: readonly IssuerOptions[]
  /** Seconds for other people's clocks: 60. */
  readonly leeway?: number
  /** For routes that do not say: `refuse`. */
  readonly onStale?: StalePolicy
  /**
   * Seconds that `serve` goes on: 600 where `onStale` says it. Routes may say it where this is given. Every one of them is
   * beyond the promise of 60 s, and the issuer is told of them.
   */
  readonly serveStaleFor?: number
  /** Seconds that an active introspection answer is used: 30. */
  readonly introspectionCache?: number
  /** Tokens whose verification is remembered: 10 000. */
  readonly cacheSize?: number
  /** Proofs of possession by DPoP (RFC 9449); they are always checked, these are choices. */
  readonly dpop?: {
    /** Ask for nonces made with this secret of at least 32 bytes, the same in every process of the API. */
    readonly nonceSecret?: Uint8Array
    /** Where used proofs are remembered; left out, in this process. */
    readonly replays?: ProofReplays
    /** Most that this process remembers of two minutes: 500 000. Over it, proofs are refused with 503. */
    readonly capacity?: number
  }
  /** How the proxies in front hand on the certificates of their clients; left out, only the connection's own counts. */
  readonly clientCertHeader?: ClientCertHeader
  /** Hears of every refusal, for logs. `caller` where the token was genuine. */
  readonly onRejection?: (rejection: Rejection, caller: Caller | null) => void
  /**
   * Hears what keeps the validator from its work (the issuer is away, its certificate not trusted, our secret wrong, a
   * clock off), once when it begins and once when it is over. Left out, it is one line on stderr.
   */
  readonly onTrouble?: (fault: IssuerFault) => void
  readonly metrics?: Metrics
  readonly time?: Time
  /** For tests and for people with their own client; `ca` then has no effect. */
  readonly fetch?: typeof globalThis.fetch
  /** Certificates of a private authority, PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[]
  /** In [0, 1): jitter. */
  readonly random?: () => number
}

/** Milliseconds that `serve` goes on; 0 where nothing may be served so. */
export const servedStaleFor = ({ onStale, serveStaleFor }: ValidatorOptions): number =>
  1000 * (serveStaleFor ?? (onStale === 'serve' ? 600 : 0))

/** Throws: a validator that would be unsafe, or could never become ready, does not start. */
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
