/** One reading of the file, with everything made from it. A new one takes over without disturbing open requests. */
import type { QuotaStore } from '@grantor/api'
import { type CorsPlan, mcpCors } from '@grantor/resource'
import type { Pool } from 'undici'
import { type Access, createAccess } from '../access/access.ts'
import { policyServiceOf } from '../access/asked-policy.ts'
import { type ClientAddressOf, clientAddressBehind } from '../access/client-address.ts'
import { isLoopback } from '../config/read-addresses.ts'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { createMcpGuard, type McpGuard } from '../mcp/mcp-guard.ts'
import type { SessionOwners } from '../mcp/session-owners.ts'
import { type OpenExchanges, watchExchanges } from '../proxy/open-exchanges.ts'
import { connectUpstream } from '../proxy/upstream.ts'
import { UpstreamTokens } from '../proxy/upstream-token.ts'
import { createPages, type GatewayPage } from './pages.ts'
import { openTrust, type Trust, type TrustOptions } from './trust.ts'

export interface Generation {
  readonly config: GatewayConfig
  readonly trust: Trust
  readonly access: Access
  readonly page: (path: string) => GatewayPage | null
  readonly upstream: Pool | null
  readonly tokens: UpstreamTokens | null
  readonly mcp: McpGuard | null
  readonly cors: CorsPlan
  readonly clientAddress: ClientAddressOf
  /** Whether any route allows this method on this path. */
  mayRoute(method: string, path: string): boolean
  readonly exchanges: OpenExchanges
  /** Called at the beginning and the end of each request that this generation answers. */
  enter(): void
  leave(): void
  /** Waits until no request is open any more, and closes. `successor` is null where none follows. */
  retire(successor: Generation | null): Promise<void>
}

export interface GenerationOptions extends TrustOptions {
  readonly sessions: SessionOwners
  /** The used quotas of clients, which survive a new reading of the file. */
  readonly quotas: QuotaStore
  /** The trust of the previous generation, if nothing changed that concerns it; null makes a new one. */
  readonly trust: Trust | null
}

export function createGeneration(config: GatewayConfig, options: GenerationOptions): Generation {
  const trust = options.trust ?? openTrust(config, options)
  trust.enter()
  try {
    return generationOf(config, trust, options)
  } catch (error) {
    void trust.leave()
    throw error
  }
}

function generationOf(
  config: GatewayConfig,
  trust: Trust,
  { metrics, notice, sessions, quotas }: GenerationOptions,
): Generation {
  const { validator, relay } = trust
  const { audience, issuer, name, scopes, insufficientScopeStatus, quota, table, ca, client, limits } = config
  const policy = config.policy === null ? null : policyServiceOf(config.policy, ca)
  const access = createAccess({ validator, audience, name, insufficientScopeStatus, quota, quotas, table, policy })
  const upstream = config.upstream === null ? null : connectUpstream({ origin: config.upstream, ca, limits })
  const { kind } = config.authorization
  const asks = client !== null && (kind === 'exchange' || kind === 'introspection')
  const mcp = config.mcp === null ? null : createMcpGuard(config.mcp, access, sessions)
  const metricsWithoutToken = isLoopback(config.host) ? 'anyone' : 'nobody'
  const metricsFor = config.metricsScope === null ? metricsWithoutToken : [config.metricsScope]
  const stalePolicies = config.routes.flatMap(({ onStale }) => onStale ?? [])
  const page = createPages({ audience, name, issuer, scopes, metrics, metricsFor, validator, stalePolicies })
  const tokens = asks
    ? new UpstreamTokens({ issuer, ca, credentials: client, plan: config.authorization, notice })
    : null
  const clientAddress = clientAddressBehind(config.trustProxy)
  // Made last, because it has a timer: nothing after it can throw and leave that running.
  const exchanges = watchExchanges(() => validator, Date.now)
  let openRequests = 0
  const idle = Promise.withResolvers<void>()
  let retired = false
  return {
    config,
    trust,
    access,
    page,
    upstream,
    tokens,
    mcp,
    mayRoute: (method, path) =>
      mcp?.serves(path) === true ? mcp.route.methods?.has(method) === true : table.find(method, path) !== null,
    cors: { ...(config.mcp === null ? {} : mcpCors), origins: config.origins },
    clientAddress,
    exchanges,
    enter: () => void (openRequests += 1),
    leave() {
      openRequests -= 1
      if (retired && openRequests === 0) idle.resolve()
    },
    async retire(successor) {
      retired = true
      // Its feed will not be read any more, so the readers of its relay are cut, and connect to the next generation.
      if (successor?.trust !== trust) relay?.streams.cutStreams()
      if (openRequests > 0) await idle.promise
      exchanges.stop()
      await upstream?.close()
      await trust.leave()
    },
  }
}
