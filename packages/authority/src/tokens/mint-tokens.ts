/**
 * Makes all tokens of one issuance: the access token and, where the decision includes them, an ID token and a refresh
 * token.
 */
import type { IssueDecision } from '@grantor/protocol/grants'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { type AccessTokenDependencies, mintAccessToken } from './mint-access-token.ts'
import { mintIdJag } from './mint-id-jag.ts'
import { mintIdToken } from './mint-id-token.ts'
import { mintRefreshToken } from './mint-refresh-token.ts'
import { type MintedTokens, tokenResponse } from './token-response.ts'

export type MintDependencies = AccessTokenDependencies

export interface MintFacts {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly person: Person | null
  readonly now: Instant
}

/** The tokens with the response that is sent once they are committed. */
export interface MintedIssuance extends MintedTokens {
  readonly response: JsonObject
}

export async function mintTokens(
  decision: IssueDecision,
  asked: MintFacts,
  deps: MintDependencies,
): Promise<MintedIssuance> {
  const { idJag } = decision
  const access =
    idJag === undefined
      ? await mintAccessToken(decision, asked, deps)
      : await mintIdJag({ ...decision, idJag }, asked, deps)
  // Most tokens are a client's own and come without an ID token.
  const idToken =
    decision.idToken === null ? null : await mintIdToken(decision, { ...asked, accessToken: access.token }, deps)
  const minted = { access, idToken, refresh: mintRefreshToken(decision, deps) }
  return { ...minted, response: tokenResponse(decision, minted) }
}
