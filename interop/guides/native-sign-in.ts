/** Sign-in for a native app (RFC 8252): the system's browser, and a port of the loopback address for the answer. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'

/**
 * `config` is `await oidc.discovery(new URL(issuer), id, undefined, oidc.None())`: what is installed keeps no secret.
 * `openBrowser` hands an address to the system (`open`, `xdg-open`, `start`).
 */
export async function signIn(config: oidc.Configuration, openBrowser: (address: URL) => void): Promise<oidc.IDToken> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
  openBrowser(
    oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${origin}/callback`,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  )
  try {
    for (;;) {
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
      const answer = new URL(request.url ?? '/', origin)
      const isOurs = answer.pathname === '/callback' && answer.searchParams.get('state') === state
      response.writeHead(isOurs ? 200 : 404, { connection: 'close', 'content-type': 'text/plain' })
      response.end(isOurs ? 'You can close this page.' : 'Nothing is here.')
      // Anything on this machine may ask at the port: only the answer to this sign-in counts.
      if (!isOurs) continue
      const tokens = await oidc.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      return tokens.claims() as oidc.IDToken
    }
  } finally {
    server.close()
  }
}
