/** Reads declared objects into typed inputs, and names the field of everything that is wrong with them. */
import { heldToProfile, type Served } from '@grantor/protocol/documents'
import { canonicalUri, type Resource, type Tenant } from '@grantor/protocol/oauth'
import { normaliseUsername } from '@grantor/protocol/people'
import {
  clientIdProblem,
  type ClientMetadata,
  clientMetadata,
  declaredSecretProblem,
  isTenantProfile,
  readRegistrationPolicy,
  type TenantProfile,
  tenantProfiles,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { defaultTenant, type Json, type JsonObject, type Secret, type TenantId } from '@grantor/protocol/types'
import { flag, objects, onlyKnown, text, unique } from './declared-fields.ts'
import type { Declaration } from './declaration.ts'
import { type DetailTypeInput, detailTypeInput } from './detail-type-input.ts'
import { resourceInput } from './resource-input.ts'
import { type ScopeInput, scopeInput } from './scope-input.ts'
import type { FieldProblem } from '../result.ts'
import { isTenantName } from './tenant-name.ts'
import { type TrustedIssuerInput, trustedIssuerInput } from './trusted-issuer-input.ts'
import { type ReportProblem, type UserInput, userInput } from './user-input.ts'

export { declaredResource } from './resource-input.ts'

export interface ClientInput {
  readonly id: string
  readonly metadata: ClientMetadata
  readonly disabled: boolean
  /** Absent: whatever secrets the client has stay. */
  readonly secret: Secret | null
  /** Where it stands in the file, for problems found later. */
  readonly field: string
}

/** What is wanted of one tenant. A section that the file does not have is null: nothing is said about it. */
export interface TenantInput {
  readonly tenant: TenantId
  readonly name: string | null
  readonly disabled: boolean | null
  /** Where it says something of registration: instead of all it said before. */
  readonly registration: NonNullable<Tenant['registration']> | null
  readonly requirePushed: boolean | null
  /** `none` takes away the one that was there. */
  readonly profile: TenantProfile | 'none' | null
  readonly resources: readonly Resource[] | null
  readonly scopes: readonly ScopeInput[] | null
  readonly detailTypes: readonly DetailTypeInput[] | null
  readonly clients: readonly ClientInput[] | null
  readonly users: readonly UserInput[] | null
  readonly trustedIssuers: readonly TrustedIssuerInput[] | null
}

const sectionNames = ['resources', 'scopes', 'authorization_details_types', 'users', 'clients', 'trusted_issuers']

/** What a file says of registration and of pushing at the root are settings of the deployment. */
const rootTenant = {
  tenant: defaultTenant as TenantId,
  name: null,
  disabled: null,
  registration: null,
  requirePushed: null,
}

const pushField = 'require_pushed_authorization_requests'

/** The profiles of the tenants that are there, for those of which a file says nothing of it. */
export type HeldProfiles = ReadonlyMap<string, TenantProfile>

export function readDeclaration(
  file: Declaration,
  served: Served,
  held: HeldProfiles,
): Result<readonly TenantInput[], readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  const report = (field: string, problem: string): null => {
    problems.push({ field, problem })
    return null
  }
  onlyKnown(file as JsonObject, ['profile', ...sectionNames, 'tenants'], '', report)
  const profile = profileInput(file.profile, 'profile', report)
  const atRoot = heldToProfile(served, profileAfter(profile, held.get(rootTenant.tenant)))
  const inputs = [sections(file as JsonObject, { ...rootTenant, profile, at: '', served: atRoot }, report)]
  for (const [i, tenant] of objects(file.tenants, 'tenants', report)?.entries() ?? []) {
    const input = tenantInput(tenant, { at: `tenants[${i}]`, served, held }, report)
    if (input !== null) inputs.push(input)
  }
  unique(
    inputs.slice(1).map((w, i) => [w.tenant, `tenants[${i}].id`]),
    report,
  )
  return problems.length === 0 ? ok(inputs) : err(problems)
}

function tenantInput(
  tenant: JsonObject,
  { at, served: all, held }: FieldContext & { readonly held: HeldProfiles },
  report: ReportProblem,
): TenantInput | null {
  onlyKnown(tenant, ['id', 'name', 'disabled', 'registration', pushField, 'profile', ...sectionNames], at, report)
  const id = tenant['id']
  if (typeof id !== 'string' || !isTenantName(id)) {
    return report(`${at}.id`, 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default')
  }
  const name = text(tenant['name'], `${at}.name`, report)
  const disabled = flag(tenant['disabled'], `${at}.disabled`, report)
  const registration = registrationInput(tenant['registration'], { at: `${at}.registration`, served: all }, report)
  const requirePushed = flag(tenant[pushField], `${at}.${pushField}`, report)
  const profile = profileInput(tenant['profile'], `${at}.profile`, report)
  const served = heldToProfile(all, profileAfter(profile, held.get(id)))
  if (served.profile !== undefined && requirePushed === false) {
    const problem = `must be true or left out: the profile ${served.profile} has all requests pushed (FAPI 2.0 §5.3.2.2)`
    report(`${at}.${pushField}`, problem)
  }
  const fields = { tenant: id as TenantId, name, disabled, registration, requirePushed, profile }
  return sections(tenant, { ...fields, at: `${at}.`, served }, report)
}

function profileInput(value: Json | undefined, at: string, report: ReportProblem): TenantInput['profile'] {
  if (value === undefined || value === null) return null
  return value === 'none' || isTenantProfile(value)
    ? value
    : report(at, `must be one of ${tenantProfiles.join(', ')}, or none`)
}

/** The profile that holds once the file is applied. */
export const profileAfter = (
  declared: TenantInput['profile'],
  held: TenantProfile | undefined,
): TenantProfile | undefined => (declared === null ? held : declared === 'none' ? undefined : declared)

function registrationInput(
  value: Json | undefined,
  { at, served }: FieldContext,
  report: ReportProblem,
): TenantInput['registration'] {
  if (value === undefined || value === null) return null
  const read = readRegistrationPolicy(value, served)
  if (read.kind === 'ok') return read.value
  for (const { field, problem } of read.error) report(field === '' ? at : `${at}.${field}`, problem)
  return null
}

/** Where in the file something stands, and what may be named there. */
interface FieldContext {
  readonly at: string
  readonly served: Served
}

type TenantFields = FieldContext &
  Pick<TenantInput, 'tenant' | 'name' | 'disabled' | 'registration' | 'requirePushed' | 'profile'>

function sections(of: JsonObject, { at, served, ...tenant }: TenantFields, report: ReportProblem): TenantInput {
  const each = <T>(
    section: string,
    read: (item: JsonObject, field: string, report: ReportProblem) => T | null,
  ): readonly T[] | null =>
    objects(of[section], `${at}${section}`, report)?.flatMap(
      (item, i) => read(item, `${at}${section}[${i}]`, report) ?? [],
    ) ?? null
  const resources = each('resources', resourceInput)
  const scopes = each('scopes', scopeInput)
  const detailTypes = each('authorization_details_types', detailTypeInput)
  const clients = each('clients', (item, field) => clientInput(item, { at: field, served }, report))
  const users = each('users', userInput)
  const trustedIssuers = each('trusted_issuers', (item, field) =>
    trustedIssuerInput(item, { at: field, served }, report),
  )
  const named = <T>(section: string, key: string, items: readonly T[] | null, nameOf: (it: T) => string) =>
    unique(items?.map((it, i) => [nameOf(it), `${at}${section}[${i}].${key}`]) ?? [], report)
  named('resources', 'identifier', resources, (it) => canonicalUri(it.identifier) ?? it.identifier)
  named('scopes', 'name', scopes, (it) => it.name)
  named('authorization_details_types', 'type', detailTypes, (it) => it.type)
  named('clients', 'client_id', clients, (it) => it.id)
  named('users', 'username', users, (it) => normaliseUsername(it.username) ?? '')
  named('trusted_issuers', 'issuer', trustedIssuers, (it) => it.declared.issuer)
  return { ...tenant, resources, scopes, detailTypes, clients, users, trustedIssuers }
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
