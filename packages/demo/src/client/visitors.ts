/** Who visits the client: a random cookie, and behind it, in memory, what this visitor holds. Tokens never reach a browser. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What was sent along with a sign-in, to be compared when it comes back. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignedIn {
  readonly name: string
  readonly accessToken: string
  readonly refreshToken: string | null
  /** What the server knows the sign-in by when it is to end. */
  readonly idToken: string
  readonly scope: string
  readonly expiresAt: number
}

export interface Visitor {
  pending: Pending | null
  /** The state of a sign-out that is under way. */
  leaving: string | null
  signedIn: SignedIn | null
  /** Where an export that was begun here stands: `/v2/operations/{id}`. */
  exporting: string | null
  /** Said once, on the next page. */
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

  /** A new cookie at every sign-in, so that one planted before it is worth nothing. */
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
