/** The token exchange of `oidc-provider`, of our own making since it has none: the least that RFC 8693 §2 asks for. */
import { type KeyObject, verify } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import { audience, exchangeGrant, scope } from './client.ts'
import { resourceServer } from './oidc-provider-tokens.ts'

/** Whether our key signed it, for here and not over: it keeps no copy of JWTs to look one up. */
function isGood(token: string, publicKey: KeyObject): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number }
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const signed = verify('sha256', Buffer.from(`${header}.${claims}`), how, Buffer.from(signature, 'base64url'))
  return signed && aud === audience && exp > Date.now() / 1000
}

export function registerExchange(provider: Provider, publicKey: KeyObject): void {
  provider.registerGrantType(
    exchangeGrant,
    async (ctx) => {
      const { client, params } = ctx.oidc
      if (client === undefined || !isGood(String(params?.['subject_token']), publicKey))
        throw new Error('invalid_request')
      const token = new provider.ClientCredentials({ client, scope })
      token.resourceServer = new provider.ResourceServer(audience, resourceServer)
      token.extra = { act: { sub: client.clientId } }
      const access = await token.save()
      ctx.body = { access_token: access, expires_in: token.expiration, token_type: 'Bearer', scope }
    },
    ['subject_token', 'subject_token_type', 'resource', 'scope'],
  )
}
