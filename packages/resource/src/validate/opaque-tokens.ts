/** Credentials without claims (opaque tokens, API keys): their issuer is asked, and its answer remembered briefly. */
import { secretPrefix } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { Introspection, Introspector } from '../issuer/introspector.ts'
import type { TrustedIssuer, TrustedIssuers } from '../issuer/trusted-issuers.ts'
import { Lru } from '../lru.ts'
import type { Time } from '../time.ts'
import type { Caller } from './caller.ts'
import { outage, type Rejection, rejection, tooManyWrongTokens } from './rejections.ts'
import { readVerifiedToken, tokenDigest, type VerifiedToken } from './verified-token.ts'
import { WrongTokens } from './wrong-tokens.ts'

/** Milliseconds that the answer about a JWT is reused, which is introspected because the view is stale. */
const rememberJwt = 5000

/** Grantor's opaque tokens have a prefix of their own; any other token without a dot is no JWT either. */
export const isOpaque = (token: string): boolean => token.startsWith(secretPrefix.access) || !token.includes('.')

export interface OpaqueTokensOptions {
  readonly audience: ReadonlySet<string>
  readonly as: Caller['credential']
  readonly time: Pick<Time, 'monotonic'>
}

export class OpaqueTokens {
  readonly #as: Caller['credential']
  readonly #wrong: WrongTokens
  readonly #trusted: TrustedIssuers
  readonly #audience: ReadonlySet<string>
  readonly #asked: readonly { readonly issuing: TrustedIssuer; readonly introspector: Introspector }[]
  /** Answers that were read already, each as long as the introspector remembers it. */
  readonly #read = new Lru<Introspection, Result<VerifiedToken, Rejection>>(10_000)
  /** Negative answers that were counted already: many requests may wait for the same one. */
  readonly #counted = new WeakSet<Introspection>()

  constructor(trusted: TrustedIssuers, { audience, as, time }: OpaqueTokensOptions) {
    this.#as = as
    this.#wrong = new WrongTokens(time, as)
    this.#trusted = trusted
    this.#audience = audience
    this.#asked = [...trusted.namedIssuers()].flatMap((issuing) =>
      issuing.introspector === null || (as === 'api_key' && !issuing.apiKeys)
        ? []
        : [{ issuing, introspector: issuing.introspector }],
    )
  }

  /** Whether any issuer can be asked about such credentials. */
  get hasIssuers(): boolean {
    return this.#asked.length > 0
  }

  outdate(token: string): void {
    for (const { introspector } of this.#asked) introspector.outdate(token)
  }

  /** From memory. Audience, tenant and revocation are judged anew on every request: only the answer is remembered. */
  recall(token: string): Result<VerifiedToken, Rejection> | undefined {
    if (this.#asked.length === 0) return err(rejection('token_malformed'))
    for (const { issuing, introspector } of this.#asked) {
      const answer = introspector.recall(token)
      if (answer === undefined) return undefined
      if (answer.claims !== null) return this.#reading(answer, issuing, token)
    }
    return err(rejection('invalid_token'))
  }

  /**
   * The first issuer that knows the token as active answers for it. If one of them cannot be asked, the token
   * cannot be called invalid. Made-up tokens are limited by `address`; a token that was active before is let through
   * all the same.
   */
  async ask(token: string, address: string | null): Promise<Result<VerifiedToken, Rejection>> {
    const wasActive = this.#asked.some(({ introspector }) => introspector.wasActive(token))
    const wait = wasActive ? 0 : this.#wrong.wait(address)
    if (wait > 0) return err(tooManyWrongTokens(wait))
    let isUnanswered = false
    let inactive: Introspection | null = null
    for (const { issuing, introspector } of this.#asked) {
      const answer = await introspector.recallOrAsk(token)
      if (answer.kind === 'error') isUnanswered = true
      else if (answer.value.claims !== null) return this.#reading(answer.value, issuing, token)
      else inactive = answer.value
    }
    if (isUnanswered) return err(outage('introspection_unavailable', 2))
    // A token that was active here before has ended; it was not made up.
    if (!wasActive && inactive !== null) this.#countWrong(inactive, address)
    return err(rejection('invalid_token'))
  }

  /** Once for each answer, however many requests waited for it. */
  #countWrong(answer: Introspection, address: string | null): void {
    if (this.#counted.has(answer)) return
    this.#counted.add(answer)
    this.#wrong.count(address)
  }

  /** For a JWT whose revocation view is stale: whether its issuer calls it active. */
  async stillActive({ introspector }: TrustedIssuer, token: string): Promise<Result<boolean, 'unavailable'>> {
    const answer = await introspector?.recallOrAsk(token, rememberJwt)
    return answer?.kind === 'ok' ? ok(answer.value.claims !== null) : err('unavailable')
  }

  #reading(answer: Introspection, issuing: TrustedIssuer, token: string): Result<VerifiedToken, Rejection> {
    const known = this.#read.get(answer)
    if (known !== undefined) return known
    const fresh = this.#readAnew(answer, issuing, token)
    this.#read.set(answer, fresh)
    return fresh
  }

  #readAnew(answer: Introspection, asked: TrustedIssuer, token: string): Result<VerifiedToken, Rejection> {
    const claims: JsonObject = answer.claims ?? {}
    // A root may answer for its tenants: then the response says so, and the tenant's own rule applies.
    const issuer = claims['iss'] ?? asked.issuer
    const issuing = issuer === asked.issuer ? asked : this.#trustedFor(issuer)
    if (issuing === null || issuing.introspector !== asked.introspector) return err(rejection('issuer_untrusted'))
    const verified = readVerifiedToken(claims, {
      issuer: issuing,
      key: null,
      audience: this.#audience,
      asked: { at: answer.askedAt, on: answer.askedOn, as: this.#as },
      fallbackId: tokenDigest(token),
    })
    return verified.kind === 'ok' ? verified : err(rejection(verified.error))
  }

  #trustedFor(issuer: Json): TrustedIssuer | null {
    const found = typeof issuer === 'string' ? this.#trusted.find(issuer) : null
    return found?.kind === 'ok' ? found.value : null
  }
}
