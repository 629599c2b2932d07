/** Whether what the issuer said of an API key may be over. */
import type { VerifiedToken } from './verified-token.ts'

/** A key that was revoked needs no question: the judge knows. A client that was disabled may be enabled again. */
export const hasNews = ({ issuer: { revocation }, revocable, askedAt }: VerifiedToken): boolean =>
  askedAt !== null && revocation?.hasNewsOf?.(revocable, askedAt) === true && !revocation.isRevoked(revocable)
