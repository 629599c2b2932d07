/** Whose the sessions of an MCP server are: a session's id is no secret worth a caller's name (MCP security practices, session hijacking). */
import type { Caller } from '@grantor/resource'

export class SessionOwners {
  /** In order of last use. */
  readonly #owners = new Map<string, string>()
  readonly #most: number

  constructor(most = 100_000) {
    this.#most = most
  }

  /** A session that is not known here, because this process is younger than it, belongs to whoever comes with it first. */
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
