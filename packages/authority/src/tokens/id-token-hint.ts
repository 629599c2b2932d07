/** An ID token of ours that a client sends back to name a person: OIDC Core §3.1.2.1, RP-Initiated Logout 1.0 §2. */
import { jwtType } from '@grantor/protocol/jose'
import { type Catalogue, tokenShape } from '@grantor/protocol/oauth'
import type { IdTokenHintResult } from '@grantor/protocol/oidc'
import type { Keyring } from '../keys/keyring.ts'
import { verifyOwnJws } from '../keys/verify-own-jws.ts'
import type { Issuers } from '../ports/environment.ts'

export interface HintDependencies {
  readonly issuers: Issuers
  readonly keyring: Pick<Keyring, 'verifier'>
}

/** Reads the hint. Expiry is not checked: a hint only names who signed in, and gives no access. */
export async function idTokenHint(
  text: string | undefined,
  catalogue: Catalogue,
  { issuers, keyring }: HintDependencies,
): Promise<IdTokenHintResult> {
  if (text === undefined) return 'absent'
  if (tokenShape(text) !== 'jwt') return 'invalid'
  let foreign = false
  const jws = await verifyOwnJws(text, async (kid) => {
    const key = await keyring.verifier(catalogue, kid)
    foreign = key === null
    return key
  })
  if (jws === null) return foreign ? 'unknown' : 'invalid'
  const { iss, aud, sub, sid = null, auth_time: signedInAt } = jws.claims
  // Signed userinfo has the same type, issuer and audience, but no auth_time; an access token may have the type, but
  // has a client_id.
  const isIdToken =
    jws.typ === jwtType.id.toLowerCase() && signedInAt !== undefined && !Object.hasOwn(jws.claims, 'client_id')
  if (!isIdToken || iss !== issuers.issuerOf(catalogue.tenant.id)) return 'invalid'
  if (typeof aud !== 'string' || typeof sub !== 'string' || (sid !== null && typeof sid !== 'string')) return 'invalid'
  return { clientId: aud, sub, sid }
}
