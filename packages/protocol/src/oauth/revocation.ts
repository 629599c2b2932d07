/** Token revocation: RFC 7009 §2. */
import { type ApiKey, keyIsOver } from '../api-keys/api-key.ts'
import type { Refusal } from './refusal.ts'
import { isTokenActive } from './introspection.ts'
import type { RefreshFacts } from '../grants/grant.ts'
import type { Client } from '../registration/client.ts'
import type { GrantId, Instant, TokenId } from '../types.ts'
import type { AccessTokenFacts, TokenStatus } from './access-token.ts'

/** What the presented string is. */
export type RevocationSubject =
  | { readonly kind: 'access'; readonly token: AccessTokenFacts; readonly status: TokenStatus }
  | { readonly kind: 'refresh'; readonly refresh: RefreshFacts }
  | { readonly kind: 'api_key'; readonly key: ApiKey }
  /** Issued here, but not a token that can be revoked (an ID token, a code). */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown' }

export type RevocationDecision =
  | { readonly do: 'revoke_token'; readonly jti: TokenId; readonly expiresAt: Instant }
  | { readonly do: 'revoke_grant'; readonly grantId: GrantId }
  | { readonly do: 'revoke_key'; readonly id: string }
  | { readonly do: 'nothing' }
  | { readonly do: 'refuse'; readonly refusal: Refusal }

/** Revoking an access token ends only itself, a refresh token its grant with all its tokens, an API key only itself. */
// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
export function decideRevocation(request: {
  readonly subject: RevocationSubject
  /** The client that asks; null for an operator, who may revoke any token. */
  readonly client: Pick<Client, 'id'> | null
  readonly now: Instant
}): RevocationDecision {
  const { subject, client, now } = request
  const owns = (clientId: string) => client === null || client.id === clientId
  switch (subject.kind) {
    case 'access': {
      const { token, status } = subject
      // §2.2: an invalid token is not an error, because it is already useless to the client. Checked before the owner,
      // so that nothing about the token is revealed.
      if (!isTokenActive(token, status, now)) return { do: 'nothing' }
      return owns(token.clientId) ? { do: 'revoke_token', jti: token.jti, expiresAt: token.expiresAt } : foreign
    }
    case 'refresh': {
      const { grant } = subject.refresh
      if (grant.revokedAt !== null) return { do: 'nothing' }
      // A spent refresh token still identifies its grant; its holder may revoke it (a client that lost the answer to a
      // refresh).
      return owns(grant.clientId) ? { do: 'revoke_grant', grantId: grant.id } : foreign
    }
    case 'api_key': {
      const { key } = subject
      if (keyIsOver(key, now)) return { do: 'nothing' }
      return owns(key.clientId) ? { do: 'revoke_key', id: key.id } : foreign
    }
    case 'unsupported':
      return { do: 'refuse', refusal: { reason: 'token_type_unsupported' } }
    case 'unknown':
      return { do: 'nothing' }
  }
}

/** §2.1: a token of another client is refused, and the client is told so. */
const foreign: RevocationDecision = { do: 'refuse', refusal: { reason: 'token_of_another_client' } }
