/** Credentials that the issuer is asked about: opaque tokens and API keys, told apart by their form. */
import type { TrustedIssuers } from '../issuer/trusted-issuers.ts'
import type { Time } from '../time.ts'
import { ApiKeys, isKeyShaped } from './api-keys.ts'
import { accepted, type Finding, refused } from './finding.ts'
import { isOpaque, OpaqueTokens } from './opaque-tokens.ts'
import { outage, rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

export class AskedCredentials {
  readonly #tokens: OpaqueTokens
  readonly #keys: ApiKeys

  constructor(trusted: TrustedIssuers, audience: ReadonlySet<string>, time: Time) {
    this.#tokens = new OpaqueTokens(trusted, { audience, time, as: 'access_token' })
    this.#keys = new ApiKeys(new OpaqueTokens(trusted, { audience, time, as: 'api_key' }))
  }

  /** Judges a JWT by introspection, because the revocation view is stale. */
  async byIssuer(verified: VerifiedToken, token: string): Promise<Finding> {
    const active = await this.#tokens.stillActive(verified.issuer, token)
    if (active.kind === 'ok' && active.value) return accepted(verified, 'introspect')
    const why = active.kind === 'error' ? outage('revocation_state_stale', 5) : rejection('token_revoked')
    return refused(why, 'introspect', verified)
  }

  /** The source that knows about such a credential; null for a JWT, which is checked by its signature. */
  sourceOf(token: string): OpaqueTokens | ApiKeys | null {
    if (isKeyShaped(token)) return this.#keys
    return isOpaque(token) ? this.#tokens : null
  }
}
