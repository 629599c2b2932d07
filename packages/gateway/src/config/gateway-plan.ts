/** The content of a gateway's file as a value, with defaults for fields left out. */
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { ClientCertHeader } from '@grantor/resource'
import type { Route } from '../routing/routes.ts'

/** Names of files are relative to the gateway's file; referenced-files.ts reads them. */
export interface GatewayPlan {
  readonly issuer: string
  /** Whether tokens of the issuer's tenants are accepted, too. */
  readonly tenants: boolean
  readonly audience: string
  /** For people: `resource_name` of the metadata, and the realm of challenges. */
  readonly name: string
  /** The origin of the API behind the gateway; null: forward-auth only. */
  readonly upstream: string | null
  /** A file of CA certificates (PEM) that are trusted for issuer and upstream. */
  readonly ca: string | null
  readonly client: ClientPlan | null
  readonly feed: FeedPlan
  readonly host: string
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly routes: readonly Route[]
  /** The file of an OpenAPI document that names further routes. */
  readonly openapi: string | null
  readonly quota: QuotaPolicy | null
  /** Seconds: the age of the revocation state up to which a route may accept tokens; null: no route may. */
  readonly serveStaleFor: number | null
  /** The policy service, asked once token and scope suffice; null: none. */
  readonly policy: PolicyPlan | null
  readonly insufficientScopeStatus: 401 | 403
  readonly authorization: AuthorizationPlan
  readonly origins: '*' | readonly string[]
  /** The header in which proxies in front pass on client certificates; null: they do not. */
  readonly clientCertHeader: ClientCertHeader | null
  /** Proxies in front whose `X-Forwarded-For` is believed: addresses, CIDR blocks, `loopback`. */
  readonly trustProxy: readonly string[]
  /** Whether API keys of the issuer are accepted, too. */
  readonly apiKeys: boolean
  /** The scope that `/metrics` needs; null: on loopback anyone may read it, elsewhere nobody. */
  readonly metricsScope: string | null
  readonly limits: LimitsPlan
  readonly mcp: McpPlan | null
}

/** The revocation feed. */
export interface FeedPlan {
  /** The address of a relay; null: the feed is read at the issuer. */
  readonly address: string | null
  /** Whether this gateway serves the feed to further validators. */
  readonly relay: boolean
}

export interface ClientPlan {
  readonly id: string
  readonly secret: string | null
  readonly secretFile: string | null
}

/** A policy service by AuthZEN (Authorization API 1.0). */
export interface PolicyPlan {
  readonly url: string
  readonly token: string | null
  readonly tokenFile: string | null
  /** Milliseconds. */
  readonly deadline: number
  readonly onFailure: 'deny' | 'allow'
  /** 0: answers are not remembered. */
  readonly cacheSeconds: number
}

/** The `Authorization` that the API behind gets in place of the client's own. */
export type AuthorizationPlan =
  | { readonly kind: 'forward' | 'remove' | 'introspection' }
  | { readonly kind: 'exchange'; readonly audience: string; readonly scopes: readonly string[] | null }

export interface LimitsPlan {
  /** Bytes. */
  readonly headers: number
  readonly body: number
  /** Seconds within which a whole request must arrive. */
  readonly request: number
  /** Seconds until the API behind begins to answer. */
  readonly firstByte: number
  /** Seconds without a byte: of an answer (`idle`), and of an event stream or upgraded connection (`streamIdle`). */
  readonly idle: number
  readonly streamIdle: number
  readonly connections: number
}

type ScopesByName = ReadonlyMap<string, readonly string[]>

export interface McpPlan {
  /** The path of the MCP endpoint. */
  readonly path: string
  /** The scopes that every message needs. */
  readonly scopes: readonly string[]
  readonly tools: ScopesByName
  /** By URI; a name that ends with `*` stands for all URIs with this prefix. */
  readonly resources: ScopesByName
  readonly prompts: ScopesByName
  /** Methods in addition to those of the specification. */
  readonly methods: ScopesByName
  /** Whether lists show a caller only what it may use. */
  readonly filterLists: boolean
  /** Whether the policy service is asked about each tool, resource and prompt that a message names. */
  readonly policy: boolean
}

export const defaultLimits: LimitsPlan = {
  headers: 16_384,
  body: 10_485_760,
  request: 300,
  firstByte: 60,
  idle: 60,
  streamIdle: 3600,
  connections: 1024,
}
