/** A tenant as an administrator writes it, and the problems of its fields. */
import { type Branding, type BrandingInput, readBranding } from '@grantor/protocol/branding'
import type { Served } from '@grantor/protocol/documents'
import { displayTextProblem } from '@grantor/protocol/oauth'
import { type AccountPolicy, readAccountPolicy } from '@grantor/protocol/people'
import {
  type FieldProblem,
  isTenantProfile,
  readRegistrationPolicy,
  type RegistrationPolicy,
  type TenantProfile,
  tenantProfiles,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { isTenantName } from '../declared/tenant-name.ts'

export interface TenantReplacement {
  /** Null creates the tenant. */
  readonly revision: number | null
  readonly name: string
  readonly disabled: boolean
  /** The profile, unvalidated; null for none. */
  readonly profile: string | null
  /** Unvalidated; null for the deployment's policy alone. */
  readonly registration: JsonObject | null
  /** Null leaves the setting unchanged. */
  readonly requirePushed: boolean | null
  /** Unvalidated; null for none. */
  readonly branding: JsonObject | null
  /** Unvalidated; null for none. */
  readonly accounts: JsonObject | null
}

export interface CheckedReplacement {
  readonly profile: TenantProfile | null
  readonly registration: Partial<RegistrationPolicy> | null
  readonly branding: BrandingInput
  readonly accounts: AccountPolicy
}

interface ReplacementContext {
  readonly tenant: TenantId
  /** The present branding, whose logo may stay; undefined where there is none. */
  readonly heldBranding: Branding | undefined
  readonly served: Served
}

/** Reports all problems at once, each by the name of its field in the request. */
export function checkReplacement(
  wanted: TenantReplacement,
  { tenant, heldBranding, served }: ReplacementContext,
): Result<CheckedReplacement, readonly FieldProblem[]> {
  const profile = readProfile(wanted)
  const registration = wanted.registration === null ? ok(null) : readRegistrationPolicy(wanted.registration, served)
  const branding = readBranding(wanted.branding ?? {}, { tenant, held: heldBranding })
  const accounts = readAccountPolicy(wanted.accounts ?? {})
  const problems = [
    ...nameProblems(tenant, wanted),
    ...problemsBelow('', profile),
    ...problemsBelow('registration', registration),
    ...problemsBelow('branding', branding),
    ...problemsBelow('accounts', accounts),
  ]
  const isRead = profile.kind === 'ok' && registration.kind === 'ok' && branding.kind === 'ok' && accounts.kind === 'ok'
  return isRead && problems.length === 0
    ? ok({
        profile: profile.value,
        registration: registration.value,
        branding: branding.value,
        accounts: accounts.value,
      })
    : err(problems)
}

function nameProblems(tenant: TenantId, { revision, name }: TenantReplacement): readonly FieldProblem[] {
  const wrong = displayTextProblem(name)
  const isNamed = revision !== null || isTenantName(tenant)
  return [
    ...(wrong === null ? [] : [{ field: 'name', problem: wrong }]),
    ...(isNamed
      ? []
      : [
          {
            field: 'id',
            problem: 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default',
          },
        ]),
  ]
}

function readProfile({
  profile,
  requirePushed,
}: TenantReplacement): Result<TenantProfile | null, readonly FieldProblem[]> {
  const isKnown = profile === null || isTenantProfile(profile)
  const problems = [
    ...(isKnown ? [] : [{ field: 'profile', problem: `must be one of ${tenantProfiles.join(', ')}` }]),
    ...(profile === null || requirePushed !== false
      ? []
      : [
          {
            field: 'require_pushed_authorization_requests',
            problem: `must be true or left out: ${profile} has all requests pushed`,
          },
        ]),
  ]
  return isKnown && problems.length === 0 ? ok(profile) : err(problems)
}

/** Prefixes the problems with the field that contains them. */
const problemsBelow = (field: string, read: Result<unknown, readonly FieldProblem[]>): readonly FieldProblem[] =>
  read.kind === 'ok'
    ? []
    : read.error.map((it) => ({ ...it, field: [field, it.field].filter((part) => part !== '').join('.') }))
