/**
 * The sections of a file that declare the content of a tenant: read item by item, every problem reported with its
 * field.
 */
import type { BrandingInput } from '@grantor/protocol/branding'
import type { Served } from '@grantor/protocol/documents'
import { canonicalUri, type Resource, type Tenant } from '@grantor/protocol/oauth'
import { type AccountPolicy, groupKey, normaliseUsername } from '@grantor/protocol/people'
import {
  clientIdProblem,
  type ClientMetadata,
  clientMetadata,
  declaredSecretProblem,
  type TenantProfile,
} from '@grantor/protocol/registration'
import type { JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import { type DeclaredProvider, providerInput } from '../providers/kept-provider.ts'
import { flag, objects, unique } from './declared-fields.ts'
import { type WebhookInput, webhookInput } from './webhook-input.ts'
import { type DetailTypeInput, detailTypeInput } from './detail-type-input.ts'
import { resourceInput } from './resource-input.ts'
import { type GroupDeclaration, groupInput, type RoleInput, roleInput } from './roles/role-input.ts'
import { type ScopeInput, scopeInput } from './scope-input.ts'
import { type TrustedIssuerInput, trustedIssuerInput } from './trusted-issuer-input.ts'
import { type ReportProblem, type UserInput, userInput } from './user-input.ts'

export interface ResourceInput extends Resource {
  /** The place of the resource in the file, for problems that are found later. */
  readonly field: string
}

export interface ClientInput {
  readonly id: string
  readonly metadata: ClientMetadata
  readonly disabled: boolean
  /** Absent: the client keeps its secrets. */
  readonly secret: Secret | null
  /** Its path in the file, for problems found later. */
  readonly field: string
}

/** The declared content of one tenant. A section that the file does not have is null: it stays unchanged. */
export interface TenantInput {
  readonly tenant: TenantId
  readonly name: string | null
  readonly disabled: boolean | null
  /** Replaces the previous registration policy as a whole. */
  readonly registration: NonNullable<Tenant['registration']> | null
  readonly requirePushed: boolean | null
  /** `none` removes the present profile. */
  readonly profile: TenantProfile | 'none' | null
  readonly branding: BrandingInput | null
  /** Replaces the previous account policy as a whole. */
  readonly accounts: AccountPolicy | null
  readonly resources: readonly ResourceInput[] | null
  readonly scopes: readonly ScopeInput[] | null
  readonly detailTypes: readonly DetailTypeInput[] | null
  readonly roles: readonly RoleInput[] | null
  readonly groups: readonly GroupDeclaration[] | null
  readonly clients: readonly ClientInput[] | null
  readonly users: readonly UserInput[] | null
  readonly trustedIssuers: readonly TrustedIssuerInput[] | null
  readonly webhooks: readonly WebhookInput[] | null
  readonly providers: readonly DeclaredProvider[] | null
}

export const sectionNames = [
  'resources',
  'scopes',
  'authorization_details_types',
  'roles',
  'groups',
  'users',
  'clients',
  'trusted_issuers',
  'webhooks',
  'providers',
]

/** The path of an object in the file, and the names that may be used there. */
export interface FieldContext {
  readonly at: string
  readonly served: Served
}

type TenantFields = FieldContext &
  Pick<
    TenantInput,
    'tenant' | 'name' | 'disabled' | 'registration' | 'requirePushed' | 'profile' | 'branding' | 'accounts'
  >

export function sections(of: JsonObject, { at, served, ...tenant }: TenantFields, report: ReportProblem): TenantInput {
  const each = <T>(
    section: string,
    read: (item: JsonObject, field: string, report: ReportProblem) => T | null,
  ): readonly T[] | null =>
    objects(of[section], `${at}${section}`, report)?.flatMap(
      (item, i) => read(item, `${at}${section}[${i}]`, report) ?? [],
    ) ?? null
  const resources = each('resources', (item, field): ResourceInput | null => {
    const read = resourceInput(item, { at: field, served }, report)
    return read === null ? null : { ...read, field }
  })
  const scopes = each('scopes', scopeInput)
  const detailTypes = each('authorization_details_types', detailTypeInput)
  const roles = each('roles', roleInput)
  const groups = each('groups', groupInput)
  const clients = each('clients', (item, field) => clientInput(item, { at: field, served }, report))
  const users = each('users', userInput)
  const trustedIssuers = each('trusted_issuers', (item, field) =>
    trustedIssuerInput(item, { at: field, served }, report),
  )
  const webhooks = each('webhooks', (item, field) => webhookInput(item, { at: field, served }, report))
  const providers = each('providers', (item, field) => declaredProvider(item, { at: field, served }, report))
  const named = <T>(section: string, key: string, items: readonly T[] | null, nameOf: (it: T) => string) =>
    unique(items?.map((it, i) => [nameOf(it), `${at}${section}[${i}].${key}`]) ?? [], report)
  named('resources', 'identifier', resources, (it) => canonicalUri(it.identifier) ?? it.identifier)
  named('scopes', 'name', scopes, (it) => it.name)
  named('authorization_details_types', 'type', detailTypes, (it) => it.type)
  named('roles', 'name', roles, (it) => it.name)
  named('groups', 'name', groups, (it) => groupKey(it.name))
  named('clients', 'client_id', clients, (it) => it.id)
  named('users', 'username', users, (it) => normaliseUsername(it.username) ?? '')
  named('trusted_issuers', 'issuer', trustedIssuers, (it) => it.declared.issuer)
  named('webhooks', 'id', webhooks, (it) => it.id)
  named('providers', 'id', providers, (it) => it.provider.id)
  return {
    ...tenant,
    providers,
    resources,
    scopes,
    detailTypes,
    roles,
    groups,
    clients,
    users,
    trustedIssuers,
    webhooks,
  }
}

function declaredProvider(
  item: JsonObject,
  { at, served }: FieldContext,
  report: ReportProblem,
): DeclaredProvider | null {
  const read = providerInput(item, served)
  if (read.kind === 'ok') return { ...read.value, field: at }
  for (const { field, problem } of read.error) report(`${at}.${field}`, problem)
  return null
}

function clientInput(item: JsonObject, { at, served }: FieldContext, report: ReportProblem): ClientInput | null {
  const { client_id: id, client_secret: secret, disabled, ...metadata } = item
  const misnamed = clientIdProblem(id)
  if (typeof id !== 'string' || misnamed !== null) return report(`${at}.client_id`, misnamed ?? 'must be a text')
  const weak = secret === undefined ? null : declaredSecretProblem(secret)
  if (weak !== null) return report(`${at}.client_secret`, weak)
  const off = flag(disabled, `${at}.disabled`, report) ?? false
  const checked = clientMetadata(metadata, served)
  if (checked.kind === 'error') {
    for (const { field, problem } of checked.error) report(`${at}.${field}`, problem)
    return null
  }
  return { id, metadata: checked.value, disabled: off, secret: (secret ?? null) as Secret | null, field: at }
}
