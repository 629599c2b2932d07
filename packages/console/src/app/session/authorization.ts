/** Signing in at the issuer: the code flow with PKCE, as a public client whose tokens are bound to a key of this page (DPoP). */
import * as oauth from 'oauth4webapi'
import { type Place, resourceMetadataUrl } from '../place.ts'
import type { Drafts } from './drafts.ts'
import { keepPending, takePending, type PendingSignIn, type WayBack } from './pending-sign-in.ts'

/** Made by the server at its first start. */
export const consoleClient = 'grantor-console'
const client: oauth.Client = { client_id: consoleClient }
const authentication = oauth.None()

/** OIDC Core §5.5: the name to greet with comes in the ID token, without a call for it. */
const nameClaims = JSON.stringify({ id_token: { name: null, preferred_username: null } })

/** RFC 9470: what an answer asked for. */
export interface SignInDemand {
  readonly acrValues?: string
  readonly maxAge?: string
}

export interface SignedIn {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly scope: ReadonlySet<string>
  readonly idToken: string
  readonly subject: string
  /** The id of the session that the browser has here, as the admin API knows it; null where the ID token names none. */
  readonly sessionId: string | null
  readonly name: string
}

export interface Authorization {
  readonly proof: oauth.DPoPHandle
  /** Leaves the page. */
  begin(way: WayBack & { readonly demand?: SignInDemand }): Promise<never>
  /** Null where the address is no answer to a question of this tab. Fails with `SignInFailed`. */
  finish(address: URL): Promise<FinishedSignIn | null>
  refresh(before: SignedIn): Promise<SignedIn>
  signOutUrl(idToken: string): string
}

export interface FinishedSignIn {
  readonly signedIn: SignedIn
  readonly returnTo: string
  readonly drafts: Drafts
}

/** On the way back; the way is still known, so that another try leads to the same place. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed'
  readonly way: WayBack

  constructor({ returnTo, subject, drafts }: WayBack, cause: unknown) {
    super('the sign-in failed', { cause })
    this.way = { returnTo, subject, drafts }
  }
}

/** The key is made anew with every load of the page and cannot be taken out of the browser. */
export async function openAuthorization(place: Place, storage: Storage): Promise<Authorization> {
  const issuer = new URL(place.issuer)
  const [server, keys] = await Promise.all([discover(issuer), oauth.generateKeyPair('ES256', { extractable: false })])
  const proof = oauth.DPoP(client, keys)
  const redirectUri = `${place.issuer}/console/callback`

  async function redeem({ state, verifier, nonce }: PendingSignIn, address: URL): Promise<SignedIn> {
    const parameters = oauth.validateAuthResponse(server, client, address, state)
    const check = { expectedNonce: nonce, requireIdToken: true }
    const answer = await retryWithNonce(async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        { DPoP: proof },
      )
      return oauth.processAuthorizationCodeResponse(server, client, response, check)
    })
    return signedInOf(answer)
  }

  return {
    proof,
    async begin({ returnTo, subject, drafts, demand = {} }) {
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const url = new URL(server.authorization_endpoint ?? '')
      const parameters = {
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: await scopesToAskFor(place),
        resource: place.issuer,
        state,
        nonce,
        claims: nameClaims,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(demand.acrValues === undefined ? {} : { acr_values: demand.acrValues }),
        ...(demand.maxAge === undefined ? {} : { max_age: demand.maxAge }),
      }
      url.search = new URLSearchParams(parameters).toString()
      keepPending(storage, { state, nonce, verifier, returnTo, subject, drafts })
      location.assign(url)
      // The page is on its way out: nothing that waits for it goes on.
      return new Promise<never>(() => {})
    },
    async finish(address) {
      const pending = takePending(storage, address.searchParams.get('state'))
      if (pending === null) return null
      const signedIn = await redeem(pending, address).catch((error: unknown) => {
        throw new SignInFailed(pending, error)
      })
      const isSamePerson = pending.subject === null || pending.subject === signedIn.subject
      return { signedIn, returnTo: pending.returnTo, drafts: isSamePerson ? pending.drafts : {} }
    },
    async refresh(before) {
      const answer = await retryWithNonce(async () => {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          before.refreshToken ?? '',
          { DPoP: proof },
        )
        return oauth.processRefreshTokenResponse(server, client, response)
      })
      return { ...before, ...tokensOf(answer), refreshToken: answer.refresh_token ?? before.refreshToken }
    },
    signOutUrl(idToken) {
      const url = new URL(server.end_session_endpoint ?? '')
      url.search = new URLSearchParams({
        id_token_hint: idToken,
        client_id: client.client_id,
        post_logout_redirect_uri: `${place.issuer}/console`,
      }).toString()
      return url.href
    },
  }
}

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
}

/** All that the admin API knows; what an administrator of a lesser kind may not hold is left out by the server. */
async function scopesToAskFor(place: Place): Promise<string> {
  const answer = await fetch(resourceMetadataUrl(place))
  const { scopes_supported: known = [] } = (await answer.json()) as { readonly scopes_supported?: readonly string[] }
  return ['openid', 'profile', ...known.filter((scope) => scope.startsWith('admin:'))].join(' ')
}

/** RFC 9449 §8: the first request may be refused for want of a nonce, and is sent again with the one that came along. */
async function retryWithNonce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return send()
  }
}

const tokensOf = (answer: oauth.TokenEndpointResponse) => ({
  accessToken: answer.access_token,
  expiresAt: Date.now() + (answer.expires_in ?? 60) * 1000,
  scope: new Set((answer.scope ?? '').split(' ')) as ReadonlySet<string>,
})

function signedInOf(answer: oauth.TokenEndpointResponse): SignedIn {
  const claims = oauth.getValidatedIdTokenClaims(answer)
  if (claims === undefined || answer.id_token === undefined) throw new Error('no ID token came along')
  const { sub, sid, name, preferred_username: username } = claims
  return {
    ...tokensOf(answer),
    refreshToken: answer.refresh_token ?? null,
    idToken: answer.id_token,
    subject: sub,
    sessionId: typeof sid === 'string' ? sid : null,
    name: [name, username, sub].find((it): it is string => typeof it === 'string') ?? sub,
  }
}
