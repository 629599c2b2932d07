/** The endpoints of an issuer, from its own document (RFC 8414 §3), which must speak of that issuer and no other (§3.3). */
import { type Ask, textIn } from './ask.ts'

export interface Endpoints {
  readonly issuer: string
  readonly token: string
  readonly deviceAuthorization: string | null
  readonly revocation: string | null
  readonly userinfo: string | null
}

/** Null where an address cannot be an issuer: https, and neither query nor fragment (§2). */
export function issuerOf(text: string): string | null {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '') return null
  // Without the slash that a URL always has: our issuers have none.
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** A text says what is wrong. */
export async function endpointsOf(issuer: string, ask: Ask): Promise<Endpoints | string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const { status, body } = await ask(`${origin}/.well-known/oauth-authorization-server${path}`)
  if (status !== 200) return `it answered ${status} when asked for its metadata`
  // RFC 8414 §3.3: or one server could pass for another.
  if (body['issuer'] !== issuer) return `it calls itself ${String(body['issuer']).slice(0, 200)}`
  const token = textIn(body, 'token_endpoint')
  if (token === null) return 'its metadata name no token endpoint'
  return {
    issuer,
    token,
    deviceAuthorization: textIn(body, 'device_authorization_endpoint'),
    revocation: textIn(body, 'revocation_endpoint'),
    userinfo: textIn(body, 'userinfo_endpoint'),
  }
}
