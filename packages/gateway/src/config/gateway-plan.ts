/** What the file of a gateway says, as a value: every field once, with what it means where it is left out. */
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { ClientCertHeader } from '@grantor/resource'
import type { Route } from '../routing/routes.ts'

/** Files are named relative to the one that names them, and read by referenced-files.ts. */
export interface GatewayPlan {
  readonly issuer: string
  /** Whether tokens of the issuer's tenants are accepted, too. */
  readonly tenants: boolean
  readonly audience: string
  /** For people: `resource_name` of the metadata, and the realm of challenges. */
  readonly name: string
  /** The origin of the API behind; null: forward-auth only. */
  readonly upstream: string | null
  /** A file of certificates (PEM) that the issuer's and the upstream's may be signed by. */
  readonly ca: string | null
  readonly client: ClientPlan | null
  readonly feed: FeedPlan
  readonly host: string
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly routes: readonly Route[]
  /** The file of an OpenAPI document that names further routes. */
  readonly openapi: string | null
  readonly quota: QuotaPolicy | null
  /** Seconds that a route may be served by stale revocation state; null: none may. */
  readonly serveStaleFor: number | null
  /** Who is asked once token and scope suffice; null: nobody. */
  readonly policy: PolicyPlan | null
  readonly insufficientScopeStatus: 401 | 403
  readonly authorization: AuthorizationPlan
  readonly origins: '*' | readonly string[]
  /** How proxies in front hand on client certificates; null: they do not. */
  readonly clientCertHeader: ClientCertHeader | null
  /** Proxies in front whose `X-Forwarded-For` is believed: addresses, CIDR blocks, `loopback`. */
  readonly trustProxy: readonly string[]
  /** Whether API keys of the issuer are accepted, too. */
  readonly apiKeys: boolean
  /** The scope that `/metrics` asks for; null: shown on loopback to anyone, elsewhere to nobody. */
  readonly metricsScope: string | null
  readonly limits: LimitsPlan
  readonly mcp: McpPlan | null
}

/** The revocation feed. */
export interface FeedPlan {
  /** Where a relay serves it; null: it is read at the issuer. */
  readonly address: string | null
  /** Whether it is served to further validators here. */
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
  /** 0: no answer is remembered. */
  readonly cacheSeconds: number
}

/** What the API behind gets in place of the client's own token. */
export type AuthorizationPlan =
  | { readonly kind: 'forward' | 'remove' | 'introspection' }
  | { readonly kind: 'exchange'; readonly audience: string; readonly scopes: readonly string[] | null }

export interface LimitsPlan {
  /** Bytes. */
  readonly headers: number
  readonly body: number
  /** Seconds for the whole of a request to come in. */
  readonly request: number
  /** Seconds until the API behind begins to answer. */
  readonly firstByte: number
  /** Seconds without a byte, of an answer; and of a stream of events or an upgraded connection. */
  readonly idle: number
  readonly streamIdle: number
  readonly connections: number
}

type ScopesByName = ReadonlyMap<string, readonly string[]>

export interface McpPlan {
  /** The address of the MCP endpoint. */
  readonly path: string
  /** What every message needs. */
  readonly scopes: readonly string[]
  readonly tools: ScopesByName
  /** By address; a name that ends with `*` stands for all that begin so. */
  readonly resources: ScopesByName
  readonly prompts: ScopesByName
  /** Methods beside those of the specification. */
  readonly methods: ScopesByName
  /** Lists show a caller what it may use, and nothing else. */
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
