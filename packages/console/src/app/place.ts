/** Where the console stands: which issuer it administers, and below which path its pages lie. */

export interface Place {
  readonly issuer: string
  /** Null for the deployment itself. */
  readonly tenant: string | null
  /** Of the addresses of its pages. */
  readonly basePath: string
}

/** Each issuer has its console below its own address: `/console`, `/t/{tenant}/console`. */
export function placeOf(origin: string, pathname: string): Place {
  const tenant = /^\/t\/([^/]+)\/console(?:\/|$)/.exec(pathname)?.[1] ?? null
  const prefix = tenant === null ? '' : `/t/${tenant}`
  return { issuer: origin + prefix, tenant, basePath: `${prefix}/console` }
}

/** The address of the issuer's metadata about this API (RFC 9728 §3.1): the well-known part stands before the path. */
export function resourceMetadataUrl({ issuer }: Place): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
}
