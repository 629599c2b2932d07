/** The profiles that a tenant can have: what all its clients are held to (profiles.ts), whatever they say themselves. */
export const tenantProfiles = ['fapi2-security', 'fapi2-message-signing'] as const
export type TenantProfile = (typeof tenantProfiles)[number]

export const isTenantProfile = (value: unknown): value is TenantProfile =>
  tenantProfiles.some((profile) => profile === value)
