/** The scopes of OpenID Connect. */

/** OIDC Core §5.4, §11. They concern a person, belong to no resource, and may accompany the scopes of any. */
export const oidcScopeNames = Object.freeze(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

export const oidcScopes: ReadonlySet<string> = new Set(oidcScopeNames)
