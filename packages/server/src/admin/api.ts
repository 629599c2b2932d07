/** The admin API: one per issuer, with the same collections, built with our own toolkit. */
import type { IncomingMessage } from 'node:http'
import { memoryIdempotency, memoryOperations, noApiMetrics, type ResourceServer, resourceServer } from '@grantor/api'
import type { TenantId } from '@grantor/protocol/types'
import type { Validator } from '@grantor/resource'
import { readNodeRequest } from '@grantor/resource/node'
import { defaultTenant } from '../issuer.ts'
import { untilAcknowledgeable } from '../http/acknowledgement.ts'
import type { HttpContext } from '../http/http-context.ts'
import { certificateIn } from '../http/possession.ts'
import { apiKeys } from './api-keys/collection.ts'
import { resources } from './catalogue/resources.ts'
import { roles } from './catalogue/roles.ts'
import { scopes } from './catalogue/scopes.ts'
import { clients } from './clients.ts'
import { consents } from './consents.ts'
import { keys } from './credentials/keys.ts'
import { registrationTokens } from './credentials/registration-tokens.ts'
import { devices } from './devices/collection.ts'
import { events } from './events.ts'
import { revocations } from './event-log/revocations.ts'
import { grants } from './grants.ts'
import { locks } from './operations/locks.ts'
import { mails } from './operations/mails.ts'
import { streams } from './operations/streams.ts'
import { webhooks } from './operations/webhooks.ts'
import { providers } from './providers/collection.ts'
import { groups } from './people/groups.ts'
import { withJoinedFilters } from './joined-filters.ts'
import { withStepUp } from './rights/step-up.ts'
import { sessions } from './sessions.ts'
import { settings } from './operations/settings.ts'
import { statistics } from './operations/statistics.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'
import { type ApiIssuer, inProcessValidator } from './validator.ts'

const basePathOf = (tenant: string): string => (tenant === defaultTenant ? '' : `/t/${tenant}`)

/** Most APIs kept in memory; those of further tenants are built again when needed. */
const mostKept = 100

const newPromises = () => ({ operations: memoryOperations(), idempotency: memoryIdempotency() })

/** The list of collections. Adding one means one file and one line here. */
const collections = (context: AdminContext, { authority } = context) => [
  clients(authority),
  apiKeys(authority),
  users(authority),
  groups(authority),
  consents(authority),
  grants(authority),
  sessions(authority),
  tenants(context),
  resources(authority),
  scopes(authority),
  providers(authority),
  roles(authority),
  keys(authority),
  registrationTokens(authority),
  devices(authority),
  events(authority, basePathOf),
  revocations(authority),
  statistics(authority),
  locks(authority),
  mails(authority),
  webhooks(authority),
  streams(authority),
  settings(context),
]

export interface AdminApi {
  serve(tenant: TenantId, request: IncomingMessage, ip: string | null): ReturnType<ResourceServer['handle']>
  /** Stops deferred work. */
  close(): Promise<void>
}

export interface AdminContext extends Pick<
  HttpContext,
  'authority' | 'issuer' | 'cursorSecret' | 'settings' | 'store' | 'meters'
> {
  readonly log: Pick<HttpContext['log'], 'error'>
  /** The validator of callers; left out, it accepts tokens of the issuer. */
  readonly validatorOf?: (home: ApiIssuer) => Validator
}

export function adminApi(context: AdminContext & Pick<HttpContext, 'certificates'>): AdminApi {
  const apis = adminApis(context)
  return {
    async serve(tenant, request, ip) {
      const certificate = certificateIn(request, context.certificates)
      const read = readNodeRequest(request, ip)
      const answer = await apis.of(tenant).handle({ ...read, certificate })
      await untilAcknowledgeable(read.method, answer, context.store)
      return answer
    },
    close: apis.close,
  }
}

export interface AdminApis {
  /** The API of a tenant, built at its first request. */
  of(tenant: TenantId): ResourceServer
  close(): Promise<void>
}

export function adminApis(context: AdminContext, most = mostKept): AdminApis {
  const { authority, issuer, log, cursorSecret } = context
  const validatorOf = context.validatorOf ?? ((home: ApiIssuer) => inProcessValidator(authority, home))
  const all = collections(context).map(withJoinedFilters).map(withStepUp)
  const shared = {
    name: 'Administration',
    description:
      'Administers an issuer: its clients and people, what they are signed in to and allowed, and what happened there.',
    cursorSecret,
    operationScopes: { read: 'admin:operations:read', write: 'admin:operations:write' },
    // The server counts them as one route, because a series for each tenant would grow without bound.
    metrics: noApiMetrics,
    // The server has such pages of its own.
    pages: { metrics: null, problems: false, health: false },
    onError: (error: unknown, id: string) => {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
      log.error({ id, route: '/v1', error: { name, message, stack } }, 'failed')
    },
  } as const
  const kept = new Map<TenantId, ResourceServer>()
  // Operations and keys outlive an evicted API: its deferred work goes on at the tenant's next request.
  const promised = new Map<TenantId, ReturnType<typeof newPromises>>()
  const apiOf = (tenant: TenantId): ResourceServer => {
    const known = kept.get(tenant)
    if (known !== undefined) {
      // The most recently used ones are kept.
      kept.delete(tenant)
      kept.set(tenant, known)
      return known
    }
    const promises = promised.get(tenant) ?? newPromises()
    promised.set(tenant, promises)
    const audience = issuer.of(tenant)
    const api = resourceServer({
      ...shared,
      versions: [{ name: 'v1', collections: all }],
      audience,
      issuers: [audience],
      basePath: basePathOf(tenant),
      ...promises,
      validator: validatorOf({ tenant, issuer: audience }),
    })
    const [oldest] = kept.size >= most ? kept.keys() : []
    if (oldest !== undefined) {
      void kept.get(oldest)?.close()
      kept.delete(oldest)
    }
    kept.set(tenant, api)
    return api
  }
  return {
    of: apiOf,
    async close() {
      await Promise.all([...kept.values()].map((api) => api.close()))
    },
  }
}
