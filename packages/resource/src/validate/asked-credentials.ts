/** What the issuer is asked about: opaque tokens and API keys, told apart by how they look. */
import type { TrustedIssuers } from '../issuer/trusted-issuers.ts'
import type { Time } from '../time.ts'
import { ApiKeys, isKeyShaped } from './api-keys.ts'
import { isOpaque, OpaqueTokens } from './opaque-tokens.ts'

export class AskedCredentials {
  readonly tokens: OpaqueTokens
  readonly #keys: ApiKeys

  constructor(trusted: TrustedIssuers, audience: ReadonlySet<string>, time: Time) {
    this.tokens = new OpaqueTokens(trusted, audience, 'access_token')
    this.#keys = new ApiKeys(trusted, audience, time)
  }

  /** Who knows of such a one; null for a JWT, which says of itself what it is. */
  sourceOf(token: string): OpaqueTokens | ApiKeys | null {
    if (isKeyShaped(token)) return this.#keys
    return isOpaque(token) ? this.tokens : null
  }
}
