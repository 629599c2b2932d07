/** Verifies a compact JWS that one of our own keys must have signed (RFC 7515 §5.2); null for everything else. */
import { parseJwt } from '@grantor/protocol/jose'
import { textLimits } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { Verified } from './keyring.ts'

export interface VerifiedJws {
  /** In lower case, without `application/`. */
  readonly typ: string | undefined
  readonly claims: JsonObject
}

type FindKey = (kid: string) => Promise<Verified | null> | Verified | null

export async function verifyOwnJws(text: string, findKey: FindKey): Promise<VerifiedJws | null> {
  const jwt = text.length > textLimits.jwt ? null : parseJwt(text)
  if (jwt?.kid === undefined) return null
  const key = await findKey(jwt.kid)
  // The key determines the algorithm; the header must agree (RFC 8725 §3.1).
  if (key === null || jwt.alg !== key.alg || !key.verify(jwt.signed, jwt.signature)) return null
  return { typ: jwt.typ, claims: jwt.claims }
}
