/** Reads declared objects into typed inputs, and names the field of every problem. */
import { heldToProfile, type Served } from '@grantor/protocol/documents'
import {
  isTenantProfile,
  readRegistrationPolicy,
  type TenantProfile,
  tenantProfiles,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { defaultTenant, type Json, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { accountsInput } from './accounts-input.ts'
import { brandingInput } from './branding-input.ts'
import { flag, objects, onlyKnown, text, unique } from './declared-fields.ts'
import type { Declaration } from './declaration.ts'
import type { FieldProblem } from '../result.ts'
import { isTenantName } from './tenant-name.ts'
import { type FieldContext, sectionNames, sections, type TenantInput } from './tenant-sections.ts'
import type { ReportProblem } from './user-input.ts'

export { declaredResource } from './resource-input.ts'
export type { ClientInput, TenantInput } from './tenant-sections.ts'

/** The registration policy and the pushing requirement at the root of a file are settings of the deployment. */
const rootTenant = {
  tenant: defaultTenant as TenantId,
  name: null,
  disabled: null,
  registration: null,
  requirePushed: null,
}

const pushField = 'require_pushed_authorization_requests'
const tenantMembers = [
  'id',
  'name',
  'disabled',
  'registration',
  pushField,
  'profile',
  'branding',
  'accounts',
  ...sectionNames,
]

/** The profiles of the existing tenants, for those whose profile the file omits. */
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
  onlyKnown(file as JsonObject, ['profile', 'branding', 'accounts', ...sectionNames, 'tenants'], '', report)
  const profile = profileInput(file.profile, 'profile', report)
  const atRoot = heldToProfile(served, profileAfter(profile, held.get(rootTenant.tenant)))
  const branding = brandingInput(file.branding, { at: 'branding', tenant: rootTenant.tenant }, report)
  const accounts = accountsInput(file.accounts, 'accounts', report)
  const root = { ...rootTenant, profile, branding, accounts, at: '', served: atRoot }
  const inputs = [sections(file as JsonObject, root, report)]
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
  onlyKnown(tenant, tenantMembers, at, report)
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
  const branding = brandingInput(tenant['branding'], { at: `${at}.branding`, tenant: id as TenantId }, report)
  const accounts = accountsInput(tenant['accounts'], `${at}.accounts`, report)
  const fields = { tenant: id as TenantId, name, disabled, registration, requirePushed, profile, branding, accounts }
  return sections(tenant, { ...fields, at: `${at}.`, served }, report)
}

function profileInput(value: Json | undefined, at: string, report: ReportProblem): TenantInput['profile'] {
  if (value === undefined || value === null) return null
  return value === 'none' || isTenantProfile(value)
    ? value
    : report(at, `must be one of ${tenantProfiles.join(', ')}, or none`)
}

/** The profile after the file is applied. */
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
