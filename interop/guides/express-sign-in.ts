/** Sign-in for an Express app: the authorization code flow with PKCE, by openid-client. */
import { randomUUID } from 'node:crypto'
import express, { type Express } from 'express'
import * as oidc from 'openid-client'

/** Kept at the server; the browser holds its id only. */
interface Session {
  pending?: { readonly verifier: string; readonly state: string; readonly nonce: string }
  claims?: oidc.IDToken
}

/**
 * `config` is `await oidc.discovery(new URL(issuer), id, undefined, oidc.ClientSecretBasic(secret))`; `origin` is where
 * this app is.
 */
export function createApp(config: oidc.Configuration, origin: string): Express {
  const app = express()
  const sessions = new Map<string, Session>()
  const cookie = { httpOnly: true, sameSite: 'lax', secure: origin.startsWith('https:') } as const
  const sessionOf = (header = ''): Session | undefined => sessions.get(/\bsid=([\w-]+)/.exec(header)?.[1] ?? '')

  app.get('/sign-in', async (_request, response) => {
    const pending = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() }
    const id = randomUUID()
    sessions.set(id, { pending })
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${origin}/callback`,
      scope: 'openid profile email',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    })
    response.cookie('sid', id, cookie).redirect(address.href)
  })

  app.get('/callback', async (request, response) => {
    const pending = sessionOf(request.headers.cookie)?.pending
    if (pending === undefined) return void response.status(400).send('Nobody was signing in here.')
    try {
      const tokens = await oidc.authorizationCodeGrant(config, new URL(request.url, origin), {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      })
      // A new id: whoever knew the one from before the sign-in knows nothing now.
      const id = randomUUID()
      sessions.set(id, { claims: tokens.claims() as oidc.IDToken })
      response.cookie('sid', id, cookie).redirect('/')
    } catch {
      response.status(400).send('The sign-in did not come to an end. <a href="/sign-in">Again</a>')
    }
  })

  app.get('/', (request, response) => {
    const claims = sessionOf(request.headers.cookie)?.claims
    if (claims === undefined) return response.redirect('/sign-in')
    return response.type('text').send(`Hello, ${claims.sub}`)
  })

  return app
}
