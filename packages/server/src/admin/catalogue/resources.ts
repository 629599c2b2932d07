/** /v1/resources: the APIs that tokens are issued for (RFC 8707). */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { type ClaimMapping, claimMappingsSchema } from '@grantor/protocol/claims'
import {
  type IssuanceHook,
  issuanceHookSchema,
  type PolicyService,
  policyServiceSchema,
} from '@grantor/protocol/decisions'
import type { Resource } from '@grantor/protocol/oauth'
import { Type } from 'typebox'
import { tenantOf } from '../fields.ts'
import { catalogueHandlers } from './handlers.ts'
import { hookSecret } from './hook-secret.ts'
import { testToken } from './questions.ts'

const ResourceSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 2048, description: 'The identifier' }),
  identifier: Type.String({ maxLength: 2048, description: 'A URI; the audience of its tokens. Never changes' }),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'What people see; the identifier where left out' })),
  token_format: Type.Enum(['jwt', 'opaque'], { default: 'jwt' }),
  token_typ: Type.Enum(['at+jwt', 'JWT'], { default: 'at+jwt', description: 'The typ of its JWTs' }),
  access_token_ttl: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds; the policy of the deployment where left out' }),
  ),
  status_list: Type.Boolean({ default: false, description: 'Its tokens have a place in a status list' }),
  require_roles: Type.Boolean({ default: false, description: 'People get no scope of it but by a role' }),
  claim_mappings: Type.Optional(
    Type.Unsafe<readonly ClaimMapping[]>({
      ...claimMappingsSchema('resource'),
      description: 'What its access tokens say besides: a claim, where from, for which scope',
    }),
  ),
  policy_service: Type.Optional(
    Type.Unsafe<PolicyService>({
      ...policyServiceSchema,
      description: 'The evaluation endpoint (AuthZEN) that is asked before a token of it is issued',
    }),
  ),
  issuance_hook: Type.Optional(
    Type.Unsafe<IssuanceHook>({
      ...issuanceHookSchema,
      description: 'What is asked after that, and may deny, take away scopes or add these claims',
    }),
  ),
})
type ResourceDocument = Type.Static<typeof ResourceSchema>

const documentOf = (it: Resource): ResourceDocument => ({
  id: it.identifier,
  identifier: it.identifier,
  name: it.name,
  token_format: it.tokenFormat,
  token_typ: it.tokenTyp,
  ...(it.accessTtl === null ? {} : { access_token_ttl: it.accessTtl }),
  status_list: it.statusList === true,
  require_roles: it.requireRoles === true,
  ...(it.claimMappings === undefined ? {} : { claim_mappings: it.claimMappings }),
  ...(it.policyService === undefined ? {} : { policy_service: it.policyService }),
  ...(it.issuanceHook === undefined ? {} : { issuance_hook: it.issuanceHook }),
})

export function resources({ admin }: Authority): Collection {
  return collection<typeof ResourceSchema, Omit<ResourceDocument, 'id'>>({
    name: 'resources',
    description: 'APIs that tokens are issued for',
    schema: ResourceSchema,
    example: exampleResource,
    scopes: { read: 'admin:resources:read', write: 'admin:resources:write' },
    handlers: catalogueHandlers({
      acts: admin.resources,
      key: 'identifier',
      entryOf: ({ value, version }, context): StoredResource<ResourceDocument> => ({
        tenant: tenantOf(context),
        version,
        value: documentOf(value),
      }),
    }),
    actions: { 'test-token': testToken(admin), 'hook-secret': hookSecret(admin) },
  })
}

const exampleResource: ResourceDocument = {
  id: 'https://api.example',
  identifier: 'https://api.example',
  name: 'Invoices API',
  token_format: 'jwt',
  token_typ: 'at+jwt',
  status_list: false,
  require_roles: false,
  claim_mappings: [{ claim: 'department', from: 'attributes.department' }],
}
