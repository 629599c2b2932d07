/** Names of tenants appear in URLs, claims and keys, so they must not look like a path, a host or another name. */
const shape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

export const isTenantName = (name: string): boolean =>
  shape.test(name) && name !== 'default' && !name.startsWith('xn--')
