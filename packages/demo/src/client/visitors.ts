/** Visitors of the client: a random cookie names each, and their data stays in memory. Tokens never reach a browser. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The values sent with a sign-in, to be compared when the browser returns. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignedIn {
  readonly name: string
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Identifies the session to the issuer at the sign-out (`id_token_hint`). */
  readonly idToken: string
  readonly scope: string
  readonly expiresAt: number
}

export interface Visitor {
  pending: Pending | null
  /** The `state` of a sign-out that has begun; null if there is none. */
  leaving: string | null
  signedIn: SignedIn | null
  /** The path of the operation of the export that this visitor started: `/v2/operations/{id}`. */
  exporting: string | null
  /** Shown once, on the next page. */
  notice: string | null
}

const cookie = '__Host-demo-client'
const mostVisitors = 1_000

export class Visitors {
  readonly #known = new Map<string, Visitor>()

  of(request: FastifyRequest, reply: FastifyReply): Visitor {
    const id = new RegExp(`(?:^|; )${cookie}=([\\w-]{43})`).exec(request.headers.cookie ?? '')?.[1]
    return (id === undefined ? undefined : this.#known.get(id)) ?? this.#meet(reply)
  }

  /** Sets a new cookie at every sign-in, against session fixation. */
  renew(visitor: Visitor, reply: FastifyReply): void {
    for (const [id, known] of this.#known) if (known === visitor) this.#known.delete(id)
    Object.assign(this.#meet(reply), visitor)
  }

  #meet(reply: FastifyReply): Visitor {
    const id = randomBytes(32).toString('base64url')
    const visitor: Visitor = { pending: null, leaving: null, signedIn: null, exporting: null, notice: null }
    this.#known.set(id, visitor)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostVisitors && oldest !== undefined) this.#known.delete(oldest)
    void reply.header('set-cookie', `${cookie}=${id}; Path=/; Secure; HttpOnly; SameSite=Lax`)
    return visitor
  }
}
