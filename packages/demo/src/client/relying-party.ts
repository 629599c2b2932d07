/** OpenID Connect with `openid-client`: sign in (code, PKCE), refresh, revoke, sign out, call the API. */
import * as oidc from 'openid-client'
import type { Fetch } from './private-fetch.ts'
import type { Pending, SignedIn } from './visitors.ts'

export interface RelyingPartyOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** The address that people are redirected to after the sign-out. */
  readonly signedOutUri: string
  /** The API that the client calls. */
  readonly resource: string
  readonly fetch: Fetch
}

const wanted = 'openid profile offline_access orders:read orders:write'

export class RelyingParty {
  readonly #options: RelyingPartyOptions
  #found: Promise<oidc.Configuration> | null = null

  constructor(options: RelyingPartyOptions) {
    this.#options = options
  }

  /** Runs discovery at the first call, and again if it failed. */
  #config(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, fetch } = this.#options
    this.#found ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, oidc.ClientSecretBasic(clientSecret), {
        [oidc.customFetch]: fetch,
      })
      .catch((error: unknown) => {
        this.#found = null
        throw error
      })
    return this.#found
  }

  async begin(): Promise<{ readonly location: string; readonly pending: Pending }> {
    const verifier = oidc.randomPKCECodeVerifier()
    const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier }
    const location = oidc.buildAuthorizationUrl(await this.#config(), {
      redirect_uri: this.#options.redirectUri,
      scope: wanted,
      resource: this.#options.resource,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { location: location.href, pending }
  }

  /** `openid-client` compares state and iss (RFC 9207), redeems the code, and checks the ID token and its nonce. */
  async finish(query: string, { state, nonce, verifier }: Pending): Promise<SignedIn> {
    const url = new URL(`${this.#options.redirectUri}?${query}`)
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await oidc.authorizationCodeGrant(await this.#config(), url, checks)
    const claims = tokens.claims()
    const about = await oidc.fetchUserInfo(await this.#config(), tokens.access_token, claims?.sub ?? '')
    return held(tokens, { name: about.name ?? about.sub, idToken: '' })
  }

  async refresh({ refreshToken, ...before }: SignedIn): Promise<SignedIn> {
    if (refreshToken === null) throw new Error('there is no refresh token')
    const tokens = await oidc.refreshTokenGrant(await this.#config(), refreshToken, {
      resource: this.#options.resource,
    })
    return held(tokens, before)
  }

  /**
   * Revoking the refresh token revokes the whole grant, so that the next call with the access token is refused, too.
   */
  async revoke({ refreshToken, accessToken }: SignedIn): Promise<void> {
    await oidc.tokenRevocation(await this.#config(), refreshToken ?? accessToken)
  }

  /**
   * RP-Initiated Logout 1.0 §2: first revokes the tokens (RFC 7009), then sends the browser to end the issuer's
   * session.
   */
  async leave(signedIn: SignedIn): Promise<{ readonly location: string; readonly state: string }> {
    await this.revoke(signedIn)
    const state = oidc.randomState()
    const location = oidc.buildEndSessionUrl(await this.#config(), {
      id_token_hint: signedIn.idToken,
      post_logout_redirect_uri: this.#options.signedOutUri,
      state,
    })
    return { location: location.href, state }
  }

  call(path: string, { accessToken }: SignedIn, { method = 'GET', body }: ApiCall = {}): Promise<Response> {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return this.#options.fetch(`${this.#options.resource}${path}`, { method, headers, body, redirect: 'manual' })
  }
}

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: string
}

/** Keeps the old ID token if a refresh brings no new one. */
const held = (tokens: oidc.TokenEndpointResponse, { name, idToken }: Pick<SignedIn, 'name' | 'idToken'>): SignedIn => ({
  name,
  idToken: tokens.id_token ?? idToken,
  accessToken: tokens.access_token,
  refreshToken: tokens.refresh_token ?? null,
  scope: tokens.scope ?? '',
  expiresAt: Date.now() + (tokens.expires_in ?? 0) * 1000,
})
