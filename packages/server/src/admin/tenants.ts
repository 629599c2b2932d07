/** /v1/tenants: the tenant of this issuer; at the default tenant all, which are created and removed only there. */
import { collection, type Collection, type RequestContext, type StoredResource } from '@grantor/api'
import type { AdminResult, Authority } from '@grantor/authority'
import { brandingDocument } from '@grantor/protocol/branding'
import { problem } from '@grantor/protocol/http'
import type { Tenant } from '@grantor/protocol/oauth'
import { registrationDocument, tenantProfiles, wordOnPushing } from '@grantor/protocol/registration'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { type Static, Type } from 'typebox'
import { defaultTenant, type Issuer } from '../issuer.ts'
import type { Settings } from '../config/settings.ts'
import { themeInputFrom } from '../config/theme.ts'
import { idFrom } from './fields.ts'
import { actorOf, adminProblem, found, removed } from './admin-problem.ts'
import { accountsOf, AccountsSchema } from './tenants/accounts.ts'
import { BrandingSchema, previewBranding } from './tenants/branding.ts'

const TenantSchema = Type.Object({
  id: Type.String({
    readOnly: true,
    pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$',
    description: 'Its name in addresses: /t/{id}; default is the first. Chosen by PUT, or made of the name by POST',
  }),
  issuer: Type.String({ readOnly: true, description: 'What its tokens say in iss' }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'What people see' }),
  disabled: Type.Boolean({
    default: false,
    description: 'A disabled tenant refuses everything, and its tokens are dead',
  }),
  profile: Type.Optional(Type.Enum([...tenantProfiles], { description: 'What all its clients are held to' })),
  require_pushed_authorization_requests: Type.Optional(
    Type.Boolean({ description: 'Whether all its clients push; where it is left out, what was said before stays' }),
  ),
  registration: Type.Optional(
    Type.Unsafe<JsonObject>({ type: 'object', description: 'Where it differs from the policy of the deployment' }),
  ),
  branding: Type.Optional(BrandingSchema),
  accounts: Type.Optional(AccountsSchema),
  trusted_issuers: Type.Array(Type.Unsafe<object>({ type: 'object' }), {
    readOnly: true,
    description: 'Issuers whose tokens are believed here, with their rules, as they were declared',
  }),
})
type TenantDocument = Static<typeof TenantSchema>
type TenantBody = Omit<TenantDocument, 'id' | 'issuer' | 'trusted_issuers'>

const exampleTenant: TenantDocument = {
  id: 'bank',
  issuer: 'https://as.example/t/bank',
  name: 'Bank',
  disabled: false,
  profile: 'fapi2-security',
  branding: { name: 'Bank of Example', accent: '#1d4ed8' },
  accounts: { sign_up: true, terms: { version: '2026-11', url: 'https://bank.example/terms' } },
  trusted_issuers: [{ issuer: 'https://ci.example', rules: [{ claims: { sub: 'repo:shop' }, client: 'deployer' }] }],
}

interface TenantsContext {
  readonly authority: Pick<Authority, 'admin'>
  readonly issuer: Pick<Issuer, 'of'>
  readonly settings: Settings
}

export function tenants({ authority: { admin }, issuer, settings }: TenantsContext): Collection {
  // At the default tenant's API all tenants count as its own resources.
  const entryOf = (it: Tenant, { tenant }: RequestContext): StoredResource<TenantDocument> => ({
    tenant,
    version: it.revision,
    value: {
      id: it.id,
      issuer: issuer.of(it.id),
      name: it.name,
      disabled: it.disabledAt !== null,
      ...(it.profile === undefined ? {} : { profile: it.profile }),
      ...wordOnPushing(it),
      ...(it.registration === undefined ? {} : { registration: registrationDocument(it.registration) }),
      ...(it.branding === undefined ? {} : { branding: brandingDocument(it.id, it.branding) }),
      ...(it.accounts === undefined ? {} : { accounts: accountsOf(it.accounts) }),
      trusted_issuers: [...(it.trustedIssuers ?? [])],
    },
  })
  const find = async (id: string, context: RequestContext) => {
    if (context.tenant !== defaultTenant && context.tenant !== id) return null
    const held = await admin.tenants.find(id as TenantId)
    return found(held, (it) => entryOf(it, context))
  }

  const entryOrProblem = (done: AdminResult<Tenant>, context: RequestContext) =>
    done.kind === 'ok' ? entryOf(done.value, context) : adminProblem(done.error)

  async function make(id: string, body: TenantBody, context: RequestContext) {
    if (context.tenant !== defaultTenant) return elsewhere
    const wanted = { revision: null, ...replacementOf(body) }
    return entryOrProblem(await admin.tenants.put(actorOf(context.caller), id as TenantId, wanted), context)
  }

  return collection<typeof TenantSchema, TenantBody>({
    name: 'tenants',
    description: 'Issuers under one server, each with people, clients and keys of its own',
    schema: TenantSchema,
    example: exampleTenant,
    scopes: { read: 'admin:tenants:read', write: 'admin:tenants:write' },
    actions: { 'preview-branding': previewBranding(themeInputFrom(settings)) },
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
      create: (body, context) => make(idFrom(body.name), body, context),
      async insert(id, body, context) {
        const made = await make(id, body, context)
        return 'kind' in made && made.code === 'conflict' ? 'changed' : made
      },
      async update(id, { body, expected, before }, context) {
        if (body.disabled !== before.disabled && (context.tenant !== defaultTenant || id === defaultTenant))
          return elsewhere
        const change = { revision: Number(expected), ...replacementOf(body) }
        const replaced = await admin.tenants.put(actorOf(context.caller), id as TenantId, change)
        if (replaced.kind === 'error' && replaced.error.reason === 'conflict') return 'changed'
        return entryOrProblem(replaced, context)
      },
      async remove(id, _expected, context) {
        if (context.tenant !== defaultTenant || id === defaultTenant) return elsewhere
        const gone = await admin.tenants.remove(actorOf(context.caller), id as TenantId)
        if (gone.kind === 'error' && gone.error.reason === 'conflict')
          return problem('conflict', 'The tenant is in use. Disable it first, then remove it.')
        return removed(gone)
      },
    },
  })
}

const elsewhere = problem('forbidden', 'Tenants are made, disabled and removed at the first one, which stays itself.')

const replacementOf = (body: TenantBody) => ({
  name: body.name,
  disabled: body.disabled,
  profile: body.profile ?? null,
  registration: body.registration ?? null,
  requirePushed: body.require_pushed_authorization_requests ?? null,
  branding: body.branding ?? null,
  accounts: (body.accounts ?? null) as JsonObject | null,
})
