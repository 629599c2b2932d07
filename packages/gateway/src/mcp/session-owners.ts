/** The owners of MCP sessions, as a session id alone must not identify a caller (MCP security, session hijacking). */
import type { Caller } from '@grantor/resource'

export class SessionOwners {
  /** Owners by session, in order of last use. */
  readonly #owners = new Map<string, string>()
  readonly #most: number

  constructor(most = 100_000) {
    this.#most = most
  }

  /** A session unknown here, because it is older than this process, belongs to the first caller that uses it. */
  isOwn(session: string, caller: Caller): boolean {
    const owner = this.#owners.get(session)
    if (owner !== undefined && owner !== ownerOf(caller)) return false
    this.claim(session, caller)
    return true
  }

  claim(session: string, caller: Caller): void {
    this.#owners.delete(session)
    this.#owners.set(session, ownerOf(caller))
    const [oldest] = this.#owners.keys()
    if (this.#owners.size > this.#most && oldest !== undefined) this.#owners.delete(oldest)
  }
}

const ownerOf = ({ issuer, tenant, subject, clientId }: Caller): string =>
  JSON.stringify([issuer, tenant, subject, clientId])
