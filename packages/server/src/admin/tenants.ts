/** /v1/tenants: the tenant of this issuer; at the first tenant's, all of them. Read only: a file and commands change them. */
import { collection, type Collection, type RequestContext, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import type { Tenant } from '@grantor/protocol/oauth'
import { registrationDocument } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import { type Static, Type } from 'typebox'
import { defaultTenant, type Issuer } from '../issuer.ts'
import { adminProblem, found } from './admin-problem.ts'

const TenantSchema = Type.Object({
  id: Type.String({ readOnly: true, description: 'Its name in addresses: /t/{id}; default is the first' }),
  issuer: Type.String({ description: 'What its tokens say in iss' }),
  name: Type.String({ description: 'What people see' }),
  disabled: Type.Boolean({ description: 'A disabled tenant refuses everything, and its tokens are dead' }),
  profile: Type.Optional(
    Type.String({ description: 'What all its clients are held to: fapi2-security or fapi2-message-signing' }),
  ),
  require_pushed_authorization_requests: Type.Optional(
    Type.Boolean({ description: 'Whether all its clients push; the deployment says where it is left out' }),
  ),
  registration: Type.Optional(
    Type.Unsafe<object>({ type: 'object', description: 'Where it differs from the policy of the deployment' }),
  ),
  trusted_issuers: Type.Array(Type.Unsafe<object>({ type: 'object' }), {
    description: 'Issuers whose tokens are believed here, with their rules, as they were declared',
  }),
})
type TenantDocument = Static<typeof TenantSchema>

const exampleTenant: TenantDocument = {
  id: 'bank',
  issuer: 'https://as.example/t/bank',
  name: 'Bank',
  disabled: false,
  profile: 'fapi2-security',
  trusted_issuers: [{ issuer: 'https://ci.example', rules: [{ claims: { sub: 'repo:shop' }, client: 'deployer' }] }],
}

export function tenants({ admin }: Authority, issuer: Pick<Issuer, 'of'>): Collection {
  // The first tenant's API has those of all, and keeps them as its own.
  const entryOf = (it: Tenant, { tenant }: RequestContext): StoredResource<TenantDocument> => ({
    tenant,
    version: it.revision,
    value: {
      id: it.id,
      issuer: issuer.of(it.id),
      name: it.name,
      disabled: it.disabledAt !== null,
      ...(it.profile === undefined ? {} : { profile: it.profile }),
      ...(it.requirePushed === undefined ? {} : { require_pushed_authorization_requests: it.requirePushed }),
      ...(it.registration === undefined ? {} : { registration: registrationDocument(it.registration) }),
      trusted_issuers: [...(it.trustedIssuers ?? [])],
    },
  })
  const find = async (id: string, context: RequestContext) => {
    if (context.tenant !== defaultTenant && context.tenant !== id) return null
    const held = await admin.tenants.find(id as TenantId)
    return found(held, (it) => entryOf(it, context))
  }

  return collection<typeof TenantSchema>({
    name: 'tenants',
    description: 'Issuers under one server, each with people, clients and keys of its own',
    schema: TenantSchema,
    example: exampleTenant,
    scopes: { read: 'admin:tenants:read' },
    handlers: {
      async list({ take, sort, after }, context) {
        if (context.tenant !== defaultTenant) {
          const own = after === null ? await find(context.tenant, context) : null
          return own === null || 'kind' in own ? (own ?? []) : [own]
        }
        const descending = sort[0]?.descending ?? false
        const found = await admin.tenants.list({
          after: (after?.[0] ?? null) as TenantId | null,
          limit: take,
          descending,
        })
        return found.kind === 'ok' ? found.value.map((it) => entryOf(it, context)) : adminProblem(found.error)
      },
      get: find,
    },
  })
}
