/**
 * Makes signing keys. An RSA key takes a tenth of a second or more, so it is made in the thread pool, never on the main
 * thread.
 */
import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { jwkThumbprint, type SigningAlg } from '@grantor/protocol/jose'
import type { JsonObject } from '@grantor/protocol/types'

const generate = promisify(generateKeyPair)

export interface FreshKey {
  readonly kid: string
  readonly publicJwk: JsonObject
  /** PKCS #8, DER. */
  readonly privateDer: Uint8Array
}

export async function generateKey(alg: SigningAlg): Promise<FreshKey> {
  const { publicKey, privateKey } = await pair(alg)
  const exported = publicKey.export({ format: 'jwk' }) as Record<string, string>
  const kid = jwkThumbprint(exported)
  // One kid in 64 begins so, and `grantor key drop -…` would take it for an option.
  if (kid.startsWith('-')) return generateKey(alg)
  return {
    kid,
    publicJwk: { ...exported, kid, alg, use: 'sig' },
    privateDer: privateKey.export({ format: 'der', type: 'pkcs8' }),
  }
}

function pair(alg: SigningAlg): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  switch (alg) {
    case 'ES256':
      return generate('ec', { namedCurve: 'P-256' })
    case 'RS256':
    case 'PS256':
      return generate('rsa', { modulusLength: 2048 })
    case 'EdDSA':
      return generate('ed25519', {})
    case 'ML-DSA-44':
      return generate('ml-dsa-44', {})
    case 'ML-DSA-65':
      return generate('ml-dsa-65', {})
    case 'ML-DSA-87':
      return generate('ml-dsa-87', {})
  }
}
