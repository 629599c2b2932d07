/** A token for the checks, by client credentials, at any issuer that publishes its metadata. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Exchange } from './exchange.ts'
import { isObject } from './model.ts'
import { jsonOf, seen } from './targets.ts'

export interface TokenRequest {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | undefined
  readonly resource: string | undefined
}

export async function obtainToken(request: TokenRequest, exchange: Exchange): Promise<Result<string, string>> {
  const endpoint = await tokenEndpoint(request.issuer, exchange)
  if (endpoint.kind === 'error') return endpoint
  const { clientId, clientSecret, scope, resource } = request
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  })
  // RFC 6749 §2.3.1: both halves are form-encoded first.
  const half = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)
  const basic = Buffer.from(`${half(clientId)}:${half(clientSecret)}`).toString('base64')
  const answer = await exchange.send(endpoint.value, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const body = jsonOf(answer)
  if (answer.status === 200 && isObject(body) && typeof body['access_token'] === 'string')
    return ok(body['access_token'])
  const why = isObject(body) ? JSON.stringify(body['error_description'] ?? body['error'] ?? '') : ''
  return err(`the token endpoint ${seen(answer)} ${why.slice(0, 200)}`.trim())
}

/** Reads the metadata at the URLs of RFC 8414 §3.1 and OpenID Connect Discovery. */
async function tokenEndpoint(issuer: string, exchange: Exchange): Promise<Result<URL, string>> {
  const url = URL.parse(issuer)
  if (url?.protocol !== 'https:') return err('an issuer is an https address')
  const path = url.pathname.replace(/\/$/, '')
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}${path}/.well-known/openid-configuration`,
  ]
  let last = ''
  for (const place of places) {
    const answer = await exchange.send(new URL(place))
    const metadata = jsonOf(answer)
    last = seen(answer)
    if (answer.status !== 200 || !isObject(metadata)) continue
    // RFC 8414 §3.3: otherwise one server could impersonate another.
    if (metadata['issuer'] !== issuer)
      return err(`it calls itself ${JSON.stringify(metadata['issuer'] ?? null).slice(0, 200)}`)
    const endpoint = typeof metadata['token_endpoint'] === 'string' ? URL.parse(metadata['token_endpoint']) : null
    return endpoint?.protocol === 'https:' ? ok(endpoint) : err('its metadata name no token endpoint')
  }
  return err(`its metadata: ${last}`)
}
