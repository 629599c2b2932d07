/** The part of a difference that concerns the tenant itself: its name, whether it is disabled, and its policies. */
import type { Tenant } from '@grantor/protocol/oauth'
import { registrationDocument, wordOnPushing } from '@grantor/protocol/registration'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import type { PresentObjects } from './declaration.ts'
import { accountsChange, accountsDocument } from './accounts-input.ts'
import { brandingChange, brandingFields } from './branding-input.ts'
import { profileAfter, type TenantInput } from './input.ts'

export { accountsDocument } from './accounts-input.ts'

type Step = (kind: 'tenant', id: string, before: JsonObject | null, after: JsonObject) => boolean

/** Whether anything of the tenant itself changes. */
export function tenantStep(input: TenantInput, present: PresentObjects, step: Step): boolean {
  const now = present.catalogue?.tenant
  const policyFields = (of: Tenant['registration'] | null): JsonObject =>
    of === undefined || of === null ? {} : { registration: registrationDocument(of) }
  const before =
    now === undefined
      ? null
      : {
          name: now.name,
          disabled: now.disabledAt !== null,
          ...policyFields(now.registration),
          ...wordOnPushing(now),
          ...profileDocument(now.profile),
          ...brandingFields(now),
          ...accountsDocument(now.accounts),
        }
  const profile = profileAfter(input.profile, now?.profile)
  const requirePushed = input.requirePushed ?? now?.requirePushed
  const after = {
    name: input.name ?? now?.name ?? input.tenant,
    disabled: input.disabled ?? before?.disabled ?? false,
    ...policyFields(input.registration ?? now?.registration),
    ...wordOnPushing({
      ...(profile === undefined ? {} : { profile }),
      ...(requirePushed === undefined ? {} : { requirePushed }),
    }),
    ...profileDocument(profile),
    ...brandingFields({ id: input.tenant, ...brandingAfter(input, now) }),
    ...accountsDocument(input.accounts ?? now?.accounts),
  }
  return step('tenant', input.tenant, before, after)
}

/** The fields for the store to write: only those that the file has. */
export const tenantChange = (input: TenantInput, now: Instant): Partial<DirectoryChange> => ({
  ...(input.name === null ? {} : { name: input.name }),
  ...(input.disabled === null ? {} : { disabledAt: input.disabled ? now : null }),
  ...(input.registration === null ? {} : { registration: input.registration }),
  ...(input.requirePushed === null ? {} : { requirePushed: input.requirePushed }),
  ...(input.profile === null ? {} : { profile: input.profile === 'none' ? null : input.profile }),
  ...(input.branding === null ? {} : { branding: brandingChange(input.branding) }),
  ...(input.accounts === null ? {} : { accounts: accountsChange(input.accounts) }),
})

const brandingAfter = ({ branding }: TenantInput, now: Tenant | undefined): Pick<Tenant, 'branding'> => {
  const after = branding === null ? now?.branding : branding.branding
  return after === undefined ? {} : { branding: after }
}

export const profileDocument = (profile: Tenant['profile']): JsonObject => (profile === undefined ? {} : { profile })
