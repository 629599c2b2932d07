/** Tokens that say nothing themselves (opaque ones, API keys): the issuer is asked, and asked again before 30 s are over. */
import { hash } from 'node:crypto'
import { err, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Introspected, Introspector } from '../issuer/introspector.ts'
import type { Trust, Trusts } from '../issuer/trusted-issuers.ts'
import { Lru } from '../lru.ts'
import { outage, type Rejection, rejection } from './rejections.ts'
import { readVerified, type Verified } from './verified-token.ts'

/** A JWT that is introspected because the view is stale may be remembered this long. */
const rememberJwt = 5000

export class OpaqueTokens {
  readonly #trusts: Trusts
  readonly #audience: ReadonlySet<string>
  readonly #asked: readonly { readonly trust: Trust; readonly introspector: Introspector }[]
  /** Answers that were read already, each as long as the introspector remembers it. */
  readonly #read = new Lru<Introspected, Result<Verified, Rejection>>(10_000)

  constructor(trusts: Trusts, audience: ReadonlySet<string>) {
    this.#trusts = trusts
    this.#audience = audience
    this.#asked = [...trusts.named()].flatMap((trust) =>
      trust.introspector === null ? [] : [{ trust, introspector: trust.introspector }],
    )
  }

  /** Typed prefixes name themselves; else a token without a dot is no JWT. */
  recognises(token: string): boolean {
    return token.startsWith('ga_') || token.startsWith('gk_') || !token.includes('.')
  }

  /** From memory. Audience, tenant and revocation are judged anew on every request: only the answer is remembered. */
  recall(token: string): Result<Verified, Rejection> | undefined {
    if (this.#asked.length === 0) return err(rejection('token_malformed'))
    let inactive = 0
    for (const { trust, introspector } of this.#asked) {
      const answer = introspector.recall(token)
      if (answer === undefined) return undefined
      if (answer.claims !== null) return this.#reading(answer, trust, token)
      inactive += 1
    }
    return inactive === this.#asked.length ? err(rejection('invalid_token')) : undefined
  }

  /** The first issuer that knows the token as active answers for it; if one cannot be asked, nobody can say no. */
  async ask(token: string): Promise<Result<Verified, Rejection>> {
    let unknown = false
    for (const { trust, introspector } of this.#asked) {
      const answer = introspector.recall(token) ?? (await introspector.ask(token))
      if (answer === 'unavailable') unknown = true
      else if (answer.claims !== null) return this.#reading(answer, trust, token)
    }
    return err(unknown ? outage('introspection_unavailable', 2) : rejection('invalid_token'))
  }

  /** For a JWT whose view is stale: may it still be accepted? */
  async stillActive(trust: Trust, token: string): Promise<boolean | 'unavailable'> {
    const { introspector } = trust
    if (introspector === null) return 'unavailable'
    const answer = introspector.recall(token, rememberJwt) ?? (await introspector.ask(token))
    return answer === 'unavailable' ? answer : answer.claims !== null
  }

  #reading(answer: Introspected, trust: Trust, token: string): Result<Verified, Rejection> {
    const known = this.#read.get(answer)
    if (known !== undefined) return known
    const fresh = this.#readAnew(answer.claims ?? {}, trust, token)
    this.#read.set(answer, fresh)
    return fresh
  }

  #readAnew(claims: JsonObject, asked: Trust, token: string): Result<Verified, Rejection> {
    // A root may answer for its tenants: then the response says so, and the tenant's own rule applies.
    const issuer = claims['iss'] ?? asked.issuer
    const trust = typeof issuer !== 'string' ? 'untrusted' : issuer === asked.issuer ? asked : this.#trusts.find(issuer)
    if (typeof trust === 'string' || trust.introspector !== asked.introspector)
      return err(rejection('issuer_untrusted'))
    const fallbackId = `sha256-${hash('sha256', token, 'base64url')}`
    const verified = readVerified(claims, { trust, key: null, audience: this.#audience, fallbackId })
    return verified.kind === 'error' ? err(rejection(verified.error)) : verified
  }
}
