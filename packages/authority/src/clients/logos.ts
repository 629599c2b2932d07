/**
 * Logos of clients, fetched by this server and shown from its own origin, so that no client learns who looks at a page.
 */
import { hash } from 'node:crypto'
import { type Client, pictureType, pictureTypes } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from '../directory.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Clock } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'

export interface Logo {
  readonly type: string
  readonly bytes: Uint8Array
  /** Identifies these bytes. */
  readonly version: string
}

export interface Logos {
  /**
   * The version of the logo, if it is cached. Otherwise it is fetched in the background, and a later call will find it.
   */
  cachedVersion(client: Client): string | null
  find(tenant: TenantId, clientId: string): Promise<Logo | null>
}

const maxBytes = 64 * 1024
const maxRemembered = 5_000
/** Milliseconds until a logo that could not be fetched is fetched again. */
const patience = 60_000

interface CachedVersion {
  readonly version: string | null
  readonly until: number
}

export interface LogoDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly outbound: Outbound
}

export function openLogos({ clock, directory, outbound }: LogoDependencies): Logos {
  const glimpses = new BoundedCache<string, CachedVersion>(maxRemembered)

  async function fetched(url: string, clientId: string): Promise<Logo | null> {
    const cause = { purpose: 'logo_uri', clientId } as const
    const answer = await outbound.fetch({ url, types: pictureTypes, maxBytes, cause })
    const type = answer.kind === 'ok' ? pictureType(answer.value.type, answer.value.body) : null
    if (answer.kind === 'error' || type === null) {
      glimpses.set(url, { version: null, until: clock.now() + patience })
      return null
    }
    const { body, fetchedAt, maxAge } = answer.value
    const version = hash('sha256', body, 'base64url').slice(0, 16)
    glimpses.set(url, { version, until: fetchedAt + maxAge * 1000 })
    return { type, bytes: body, version }
  }

  return {
    cachedVersion({ id, metadata: { logo_uri: url } }) {
      if (url === undefined) return null
      const known = glimpses.get(url) ?? { version: null, until: 0 }
      if (known.until <= clock.now()) {
        // Set first, so that many pages at once cause one fetch.
        glimpses.set(url, { ...known, until: clock.now() + patience })
        // A failed fetch is ignored: a page works without the logo.
        fetched(url, id).catch(() => null)
      }
      return known.version
    },
    async find(tenant, clientId) {
      const client = await directory.client(tenant, clientId)
      const url = client?.metadata.logo_uri
      return url === undefined || client?.disabledAt !== null ? null : fetched(url, client.id)
    },
  }
}
