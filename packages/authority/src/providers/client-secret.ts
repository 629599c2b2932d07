/** How this server authenticates to a provider: by the secret itself, or for Apple by an assertion signed with it. */
import { createPrivateKey, sign } from 'node:crypto'
import { presetOf, type Provider, type StoredProvider } from '@grantor/protocol/providers'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Vault } from '../ports/vault.ts'

/** The sealed secrets of a provider: the member that holds each, and the purpose that is part of its seal. */
export const sealedOfProvider = { sealed_secret: 'provider', sealed_signals_authorization: 'signals' } as const
export type SealedOfProvider = keyof typeof sealedOfProvider

/** The context of the seal: a secret does not open for another provider or another member. */
export const providerSecretContext = (
  tenant: TenantId,
  id: string,
  member: SealedOfProvider = 'sealed_secret',
): string => `${sealedOfProvider[member]} ${tenant} ${id}`

export const sealForProvider = (plain: string, context: string, vault: Vault): string =>
  Buffer.from(vault.seal(Buffer.from(plain), context)).toString('base64url')

/** Null where it has none; undefined where none of our keys opens it. */
export function providerSecret(
  tenant: TenantId,
  provider: StoredProvider,
  vault: Vault,
  member: SealedOfProvider = 'sealed_secret',
): string | null | undefined {
  const sealed = provider[member]
  if (sealed === undefined) return null
  const opened = vault.open(Buffer.from(sealed, 'base64url'), providerSecretContext(tenant, provider.id, member))
  return opened === null ? undefined : Buffer.from(opened).toString()
}

/** The problem of a secret that is to be stored; null where it has none. */
export function secretProblem(provider: Provider, secret: string | null): string | null {
  if (secret === null) return presetOf(provider).needsSecret ? 'is needed by this kind of provider' : null
  if (provider.kind !== 'apple') return null
  return applePrivateKey(secret) === null ? 'must be the private key (PKCS #8, P-256) that Apple made' : null
}

function applePrivateKey(pem: string) {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

/** Seconds: long enough for the one request that it is sent with. */
const assertionLife = 300

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Sign in with Apple: the secret is a JWT by the team's key (ES256), whose audience is Apple. */
export function shownSecret(provider: Provider, secret: string, now: Instant): string {
  const key = provider.kind === 'apple' ? applePrivateKey(secret) : null
  if (key === null) return secret
  const iat = Math.floor(now / 1000)
  const claims = { iss: provider.team_id, iat, exp: iat + assertionLife, aud: provider.issuer, sub: provider.client_id }
  const signed = `${part({ alg: 'ES256', kid: provider.key_id })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
