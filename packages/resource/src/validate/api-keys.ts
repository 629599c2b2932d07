/** API keys (docs/api-keys.md): introspected like opaque tokens, and again as soon as the feed has news about them. */
import { isApiKey, secretPrefix } from '@grantor/protocol/oauth'
import { err, type Result } from '@grantor/protocol/result'
import { hasNews } from './news.ts'
import type { OpaqueTokens } from './opaque-tokens.ts'
import { outage, type Rejection, rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

/** How often the issuer is asked again because news outdated its answer on the way. */
const mostQuestions = 3

export const isKeyShaped = (token: string): boolean => token.startsWith(secretPrefix.apiKey)

export class ApiKeys {
  readonly #asked: OpaqueTokens

  constructor(asked: OpaqueTokens) {
    this.#asked = asked
  }

  /** From memory; undefined where the issuer has to be asked. */
  recall(key: string): Result<VerifiedToken, Rejection> | undefined {
    if (!this.#asked.hasIssuers) return err(rejection('api_key_not_accepted'))
    const known = this.#asked.recall(key)
    // The checksum tells a mistyped key without asking. It is computed only where nothing is remembered.
    if (known === undefined) return isApiKey(key) ? undefined : err(rejection('token_malformed'))
    if (known.kind === 'error' || !hasNews(known.value)) return known
    this.#asked.outdate(key)
    return undefined
  }

  async ask(key: string, address: string | null): Promise<Result<VerifiedToken, Rejection>> {
    for (let n = 0; n < mostQuestions; n += 1) {
      const answer = await this.#asked.ask(key, address)
      if (answer.kind === 'error' || !hasNews(answer.value)) return answer
      this.#asked.outdate(key)
    }
    return err(outage('introspection_unavailable'))
  }
}
