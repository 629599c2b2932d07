/** One reading of the file, with everything that was made of it. A new one takes over without disturbing what is open. */
import type { ApiMetrics, QuotaStore } from '@grantor/api'
import { createValidator, mcpCors, type CorsPlan, type Validator } from '@grantor/resource'
import type { Pool } from 'undici'
import { type Access, createAccess } from '../access/access.ts'
import { policyServiceOf } from '../access/asked-policy.ts'
import { type ClientAddressOf, clientAddressBehind } from '../access/client-address.ts'
import { isLoopback } from '../config/read-plan.ts'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { createMcpGuard, type McpGuard } from '../mcp/mcp-guard.ts'
import type { SessionOwners } from '../mcp/session-owners.ts'
import { type OpenExchanges, watchExchanges } from '../proxy/open-exchanges.ts'
import { connectUpstream } from '../proxy/upstream.ts'
import { openRelay, type Relay } from '../relay/relay.ts'
import { UpstreamTokens } from '../proxy/upstream-token.ts'
import { createPages, type GatewayPage } from './pages.ts'

export interface Generation {
  readonly config: GatewayConfig
  readonly validator: Validator
  /** Of this validator; null where the file asks for none. */
  readonly relay: Relay | null
  readonly access: Access
  readonly page: (path: string) => GatewayPage | null
  readonly upstream: Pool | null
  readonly tokens: UpstreamTokens | null
  readonly mcp: McpGuard | null
  readonly cors: CorsPlan
  readonly clientAddress: ClientAddressOf
  /** Whether anything is allowed there, for whoever has the scope. */
  mayRoute(method: string, path: string): boolean
  readonly exchanges: OpenExchanges
  /** A request that this one answers begins, and ends. */
  enter(): void
  leave(): void
  /** Closed when nothing is open any more; the validator only where no other uses it. */
  retire(successor: Validator | null): Promise<void>
}

export interface GenerationOptions {
  readonly metrics: ApiMetrics
  notice(text: string): void
  readonly sessions: SessionOwners
  /** What clients have used up: a new reading of the file gives nobody a new quota. */
  readonly quotas: QuotaStore
  /** Of a generation before, where nothing changed that concerns it; else one is made. */
  readonly trust: Trust | null
}

export function createGeneration(
  config: GatewayConfig,
  { metrics, notice, ...options }: GenerationOptions,
): Generation {
  const { validator, relay } = options.trust ?? openTrust(config, { metrics, notice })
  const { audience, issuer, name, scopes, insufficientScopeStatus, quota, table, ca, client, limits } = config
  const access = createAccess({
    validator,
    audience,
    name,
    insufficientScopeStatus,
    quota,
    quotas: options.quotas,
    table,
    policy: config.policy === null ? null : policyServiceOf(config.policy, ca),
  })
  const upstream = config.upstream === null ? null : connectUpstream({ origin: config.upstream, ca, limits })
  const exchanges = watchExchanges(() => validator, Date.now)
  const { kind } = config.authorization
  const asks = client !== null && (kind === 'exchange' || kind === 'introspection')
  const mcp = config.mcp === null ? null : createMcpGuard(config.mcp, access, options.sessions)
  let inside = 0
  const idle = Promise.withResolvers<void>()
  let retired = false
  return {
    config,
    validator,
    relay,
    access,
    page: createPages({
      audience,
      name,
      issuer,
      scopes,
      metrics,
      metricsPublicWithoutToken: isLoopback(config.host),
      validator,
    }),
    upstream,
    tokens: asks ? new UpstreamTokens({ issuer, ca, credentials: client, plan: config.authorization, notice }) : null,
    mcp,
    mayRoute: (method, path) =>
      mcp?.serves(path) === true ? mcp.route.methods?.has(method) === true : table.find(method, path) !== null,
    cors: { ...(config.mcp === null ? {} : mcpCors), origins: config.origins },
    clientAddress: clientAddressBehind(config.trustProxy),
    exchanges,
    enter: () => void (inside += 1),
    leave() {
      inside -= 1
      if (retired && inside === 0) idle.resolve()
    },
    async retire(successor) {
      retired = true
      // What it relays would not be heard any more; its readers go on with the next one.
      if (successor !== validator) relay?.streams.cutStreams()
      if (inside > 0) await idle.promise
      exchanges.stop()
      await upstream?.close()
      if (successor === validator) return
      await relay?.close()
      await validator.close()
    },
  }
}

/** Whom a gateway believes, and to whom it tells on what it hears. */
export type Trust = Pick<Generation, 'validator' | 'relay'>

function openTrust(config: GatewayConfig, { metrics, notice }: Pick<GenerationOptions, 'metrics' | 'notice'>): Trust {
  const { clientCertHeader, issuer, audience, tenants, client, ca, apiKeys, feed } = config
  const relay = openRelay(config)
  const read = {
    ...(feed.address === null ? {} : { address: feed.address }),
    ...(relay === null ? {} : { relay: relay.feed }),
  }
  const asked = client === null ? { revocation: 'none' as const } : { credentials: client, apiKeys, feed: read }
  const validator = createValidator({
    audience,
    issuers: [{ issuer, tenants, ...asked }],
    metrics,
    onTrouble: ({ issuer: whose, message, state }) => notice(`${whose}: ${state === 'over' ? 'over: ' : ''}${message}`),
    ...(ca === null ? {} : { ca }),
    ...(clientCertHeader === null ? {} : { clientCertHeader }),
  })
  return { validator, relay }
}

/** Whether a validator of the one can serve the other. */
export const isSameTrust = (one: GatewayConfig, other: GatewayConfig): boolean =>
  JSON.stringify(trustOf(one)) === JSON.stringify(trustOf(other))

const trustOf = ({ issuer, audience, tenants, client, ca, clientCertHeader, apiKeys, feed }: GatewayConfig) => [
  feed,
  issuer,
  audience,
  tenants,
  client,
  ca,
  clientCertHeader,
  apiKeys,
]
