/** The profiles that a tenant can impose on all its clients (profiles.ts), whatever they set themselves. */
export const tenantProfiles = ['fapi2-security', 'fapi2-message-signing'] as const
export type TenantProfile = (typeof tenantProfiles)[number]

interface WordOnPushing {
  readonly profile?: TenantProfile
  readonly requirePushed?: boolean
}

/**
 * The field by which a tenant requires pushed requests, as documents hold it. Under a profile `false` has no meaning
 * and is left out.
 */
export const wordOnPushing = ({ profile, requirePushed }: WordOnPushing) =>
  requirePushed === undefined || (profile !== undefined && !requirePushed)
    ? {}
    : { require_pushed_authorization_requests: requirePushed }

export const isTenantProfile = (value: unknown): value is TenantProfile =>
  tenantProfiles.some((profile) => profile === value)
