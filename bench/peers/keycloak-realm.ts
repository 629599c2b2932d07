/** The realm for measuring Keycloak: the same clients, the same person, and a very cheap password hash. */
import type { CodeSource } from '../codes.ts'
import { clientId as serviceId, clientSecret as serviceSecret, scope as apiScope } from '../contestants/client.ts'
import { device } from '../contestants/other-clients.ts'
import { authorizationRequest, clientId, clientSecret, person, redirectUri } from '../contestants/web-client.ts'
import { cookiesOf, forwardedHeaders, getPage, peopleSigningIn, type SignIns } from './sign-ins.ts'

const base = '/realms/bench/protocol/openid-connect'

export const keycloakPaths = {
  token: `${base}/token`,
  introspect: `${base}/token/introspect`,
  push: `${base}/ext/par/request`,
  device: `${base}/auth/device`,
} as const

const es256 = { 'access.token.signed.response.alg': 'ES256', 'id.token.signed.response.alg': 'ES256' }
const confidential = { enabled: true, publicClient: false, clientAuthenticatorType: 'client-secret' }

export const keycloakRealm = {
  realm: 'bench',
  enabled: true,
  sslRequired: 'none',
  accessTokenLifespan: 600,
  defaultSignatureAlgorithm: 'ES256',
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
  clientScopes: [apiScope].map((name) => ({ name, protocol: 'openid-connect' })),
  clients: [
    {
      ...confidential,
      clientId: serviceId,
      secret: serviceSecret,
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      optionalClientScopes: [apiScope],
      attributes: { ...es256, 'standard.token.exchange.enabled': 'true' },
    },
    {
      ...confidential,
      clientId,
      secret: clientSecret,
      redirectUris: [redirectUri],
      standardFlowEnabled: true,
      optionalClientScopes: [apiScope, 'offline_access'],
      attributes: { ...es256, 'pkce.code.challenge.method': 'S256' },
    },
    {
      ...confidential,
      clientId: device.client_id,
      secret: device.client_secret,
      standardFlowEnabled: false,
      optionalClientScopes: [apiScope],
      attributes: { ...es256, 'oauth2.device.authorization.grant.enabled': 'true' },
    },
  ],
  users: [person, ...peopleSigningIn].map(({ username, password }) => ({
    username,
    enabled: true,
    email: `${username}@example.com`,
    emailVerified: true,
    firstName: 'Alice',
    lastName: 'Doe',
    credentials: [{ type: 'password', value: password }],
  })),
} as const

/** Without the resource, which Keycloak does not support, and without offline access, which it stores separately. */
const { resource: _unknown, ...request } = authorizationRequest
const address = `${base}/auth?${new URLSearchParams({ ...request, scope: `openid ${apiScope}` }).toString()}`

async function signInForm(
  port: number,
  who: typeof person,
): Promise<{ readonly form: Buffer; readonly cookies: string }> {
  const page = await getPage(port, address)
  const action = /action="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { pathname, search } = new URL(action)
  const cookies = cookiesOf(page.headers)
  const body = new URLSearchParams({ ...who }).toString()
  const head = `${forwardedHeaders}Cookie: ${cookies}\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  const form = Buffer.from(`POST ${pathname}${search} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  return { form, cookies }
}

/** After the form, Keycloak redirects at once with a code. */
export async function keycloakSignIns(port: number): Promise<SignIns> {
  const requests: Buffer[] = []
  for (const who of peopleSigningIn) requests.push((await signInForm(port, who)).form)
  return { requests, success: 302 }
}

/** One browser per connection, because Keycloak answers 500 to concurrent refreshes of one sign-in. */
const browsers = 64

/** Codes of signed-in browsers, in turn. */
export function keycloakCodes(port: number): CodeSource {
  const cookies: string[] = []
  let asked = 0
  const one = async (): Promise<string> => {
    const browser = asked++ % browsers
    const cookie = (cookies[browser] ??= await signedInBrowser(port))
    const { headers } = await getPage(port, address, cookie)
    const code = new URL(headers.get('location') ?? '', 'https://localhost').searchParams.get('code')
    if (code === null) throw new Error(`no code: ${headers.get('location')}`)
    return code
  }
  return async (count) => {
    const codes: string[] = []
    while (codes.length < count) codes.push(await one())
    return codes
  }
}

async function signedInBrowser(port: number): Promise<string> {
  const { form, cookies } = await signInForm(port, person)
  const [head = '', body = ''] = form.toString().split('\r\n\r\n')
  const answer = await fetch(`http://127.0.0.1:${port}${head.split(' ')[1]}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie: cookies,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
    },
    body,
  })
  return `${cookies}; ${cookiesOf(answer.headers)}`
}
