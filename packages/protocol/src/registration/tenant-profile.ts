/** The profiles that a tenant can impose on all its clients (profiles.ts), whatever they set themselves. */
export const tenantProfiles = ['fapi2-security', 'fapi2-message-signing'] as const
export type TenantProfile = (typeof tenantProfiles)[number]

interface WordOnPushing {
  readonly profile?: TenantProfile
  readonly requirePushed?: boolean
}

/** What a tenant says of pushing, as it is read and written. Under a profile `false` means nothing, and cannot be said. */
export const wordOnPushing = ({ profile, requirePushed }: WordOnPushing) =>
  requirePushed === undefined || (profile !== undefined && !requirePushed)
    ? {}
    : { require_pushed_authorization_requests: requirePushed }

export const isTenantProfile = (value: unknown): value is TenantProfile =>
  tenantProfiles.some((profile) => profile === value)
