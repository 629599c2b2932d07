/** Names of tenants stand in URLs, claims and keys: nothing that could be a path, a host or a look-alike. */
const shape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

export const isTenantName = (name: string): boolean =>
  shape.test(name) && name !== 'default' && !name.startsWith('xn--')
