/** Whether the feed had news of an API key since its issuer was asked, so that the answer may be outdated. */
import type { VerifiedToken } from './verified-token.ts'

/** A revoked key needs no new question: the judge refuses it. A disabled client, though, may be enabled again. */
export const hasNews = ({ issuer: { revocation }, revocable, askedAt }: VerifiedToken): boolean =>
  askedAt !== null && revocation?.hasNewsOf?.(revocable, askedAt) === true && !revocation.isRevoked(revocable)
