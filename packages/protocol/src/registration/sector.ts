/** The sector for which a pairwise subject is made: OIDC Core §8.1, OIDC Registration §5. */
import { isLoopbackUri } from '../oauth/redirect-uri.ts'
import type { ClientMetadata } from './client-fields.ts'

type Addresses = Pick<ClientMetadata, 'redirect_uris' | 'sector_identifier_uri'>

/**
 * The host of `sector_identifier_uri`, else the one host that all redirect URIs share. Null where there is none: a
 * loopback address or a private-use scheme can be used by anybody, who must not learn the subjects that another client
 * of its sector is told.
 */
export function sectorOf({ redirect_uris, sector_identifier_uri }: Addresses): string | null {
  if (sector_identifier_uri !== undefined) return webHost(sector_identifier_uri)
  const hosts = new Set(redirect_uris.map(webHost))
  const [host] = hosts
  return hosts.size === 1 ? (host ?? null) : null
}

/**
 * OIDC Registration §5: the document at `sector_identifier_uri` must list every redirect URI of its clients, byte for
 * byte.
 */
export const isOfSector = (document: unknown, { redirect_uris }: Pick<Addresses, 'redirect_uris'>): boolean =>
  Array.isArray(document) && redirect_uris.every((uri) => document.includes(uri))

function webHost(uri: string): string | null {
  const url = URL.canParse(uri) ? new URL(uri) : null
  return url?.protocol === 'https:' && !isLoopbackUri(uri) ? url.hostname : null
}
