/** Lines to copy that run: how a client of each kind gets its first token. */
import type { KindName } from './kinds.ts'

export interface SnippetFacts {
  readonly issuer: string
  readonly clientId: string
  /** Null where there is none, or where it is not shown any more. */
  readonly secret: string | null
  readonly redirectUri: string | null
  readonly scope: string
}

export interface Snippet {
  readonly curl: string
  readonly code: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export function snippetOf(kind: KindName, facts: SnippetFacts): Snippet {
  const { issuer, clientId, scope } = facts
  const secret = facts.secret ?? 'CLIENT_SECRET'
  const user = `-u ${quoted(`${clientId}:${secret}`)}`
  const discover = `import * as client from 'openid-client'

const config = await client.discovery(
  new URL(${literal(issuer)}),
  ${literal(clientId)},${kind === 'web' || kind === 'machine' || kind === 'mcp' ? `\n  ${literal(secret)},` : '\n  undefined,\n  client.None(),'}
)`
  if (kind === 'machine')
    return {
      curl: `curl ${user} ${issuer}/token \\\n  -d grant_type=client_credentials${scope === '' ? '' : ` \\\n  -d scope=${quoted(scope)}`}`,
      code: `${discover}\nconst { access_token } = await client.clientCredentialsGrant(config${scope === '' ? '' : `, { scope: ${literal(scope)} }`})`,
    }
  if (kind === 'mcp')
    return {
      curl: `curl ${user} ${issuer}/introspect -d token="$TOKEN"`,
      code: `import { createValidator } from '@grantor/resource'

const validator = createValidator({
  audience: 'https://mcp.example.com',
  issuers: [
    { issuer: ${literal(issuer)}, credentials: { clientId: ${literal(clientId)}, clientSecret: ${literal(secret)} } },
  ],
})`,
    }
  if (kind === 'device')
    return {
      curl: `curl ${issuer}/device_authorization \\\n  -d client_id=${quoted(clientId)} \\\n  -d scope=${quoted(scope)}`,
      code: `${discover}
const asked = await client.initiateDeviceAuthorization(config, { scope: ${literal(scope)} })
console.log('Go to', asked.verification_uri_complete)
const tokens = await client.pollDeviceAuthorizationGrant(config, asked)`,
    }
  const redirect = facts.redirectUri ?? 'https://app.example.com/callback'
  return {
    curl: `# Open in a browser, and take the code from the address you come back to:
${issuer}/authorize?${new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirect,
      scope,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString()}

curl ${kind === 'web' ? user : `-d client_id=${quoted(clientId)}`} ${issuer}/token \\
  -d grant_type=authorization_code -d code="$CODE" \\
  -d redirect_uri=${quoted(redirect)} \\
  -d code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
    code: `${discover}
const verifier = client.randomPKCECodeVerifier()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${literal(redirect)},
  scope: ${literal(scope)},
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
// Send the browser to url; when it is back at ${redirect}:
const tokens = await client.authorizationCodeGrant(config, currentUrl, { pkceCodeVerifier: verifier })`,
  }
}
