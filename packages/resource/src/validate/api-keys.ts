/** API keys (docs/api-keys.md): asked about like opaque tokens, and asked again as soon as the feed has news of them. */
import { isApiKey, secretPrefix } from '@grantor/protocol/oauth'
import { err, type Result } from '@grantor/protocol/result'
import type { TrustedIssuers } from '../issuer/trusted-issuers.ts'
import type { Time } from '../time.ts'
import { hasNews } from './news.ts'
import { OpaqueTokens } from './opaque-tokens.ts'
import { outage, type Rejection, rejection, tooManyWrongKeys } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'
import { WrongKeys } from './wrong-keys.ts'

/** Questions in a row that each have news behind them before they are answered: something is wrong. */
const mostQuestions = 3

export const isKeyShaped = (token: string): boolean => token.startsWith(secretPrefix.apiKey)

export class ApiKeys {
  readonly #asked: OpaqueTokens
  readonly #wrong: WrongKeys

  constructor(trusted: TrustedIssuers, audience: ReadonlySet<string>, time: Time) {
    this.#asked = new OpaqueTokens(trusted, audience, 'api_key')
    this.#wrong = new WrongKeys(time)
  }

  /** From memory; undefined where the issuer has to be asked. */
  recall(key: string): Result<VerifiedToken, Rejection> | undefined {
    if (!this.#asked.hasIssuers) return err(rejection('api_key_not_accepted'))
    const known = this.#asked.recall(key)
    // Only what is not remembered costs the arithmetic of its checksum.
    if (known === undefined) return isApiKey(key) ? undefined : err(rejection('token_malformed'))
    if (known.kind === 'error' || !hasNews(known.value)) return known
    this.#asked.outdate(key)
    return undefined
  }

  /** `address`: who guesses keys is stopped by it, and not whoever has a good one at the same address. */
  async ask(key: string, address: string | null): Promise<Result<VerifiedToken, Rejection>> {
    const wait = this.#asked.wasActive(key) ? 0 : this.#wrong.wait(address)
    if (wait > 0) return err(tooManyWrongKeys(wait))
    for (let n = 0; n < mostQuestions; n += 1) {
      const answer = await this.#asked.ask(key)
      if (answer.kind === 'error') {
        if (answer.error.code === 'invalid_token') this.#wrong.count(address)
        return answer
      }
      if (!hasNews(answer.value)) return answer
      this.#asked.outdate(key)
    }
    return err(outage('introspection_unavailable'))
  }
}
