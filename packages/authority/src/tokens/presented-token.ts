/** What a presented string is: finds out by its shape, its signature and the store; believes nothing before that. */
import type { RefreshFacts } from '@grantor/protocol/grants'
import {
  type AccessTokenFacts,
  accessTokenFacts,
  type Catalogue,
  isAccessTokenType,
  type TokenShape,
} from '@grantor/protocol/oauth'
import type { Hands } from '../hands.ts'
import { verifyOwnJws } from '../keys/verify-own-jws.ts'

export type PresentedToken =
  | { readonly kind: 'access'; readonly token: AccessTokenFacts }
  | { readonly kind: 'refresh'; readonly refresh: RefreshFacts }
  /** Ours, but nothing that grants access: an ID token, a code, a client secret. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown' }

const unknown: PresentedToken = { kind: 'unknown' }

export async function findPresentedToken(
  presented: { readonly token: string; readonly shape: TokenShape },
  catalogue: Catalogue,
  hands: Hands,
): Promise<PresentedToken> {
  const tenant = catalogue.tenant.id
  switch (presented.shape) {
    case 'jwt':
      return ownJwt(presented.token, catalogue, hands)
    case 'access': {
      const token = await hands.store.tokens.opaque(tenant, hands.ids.handleOf(presented.token))
      return token === null ? unknown : { kind: 'access', token }
    }
    case 'refresh': {
      const refresh = await hands.store.grants.refresh(tenant, hands.ids.handleOf(presented.token))
      return refresh === null ? unknown : { kind: 'refresh', refresh }
    }
    case 'unsupported':
      return { kind: 'unsupported' }
    case 'api_key':
    case 'unknown':
      return unknown
  }
}

async function ownJwt(text: string, catalogue: Catalogue, hands: Hands): Promise<PresentedToken> {
  const jws = await verifyOwnJws(text, (kid) => hands.keyring.verifier(catalogue, kid))
  if (jws === null) return unknown
  if (!isAccessTokenType(jws.typ)) return { kind: 'unsupported' }
  const from = { issuer: hands.issuers.issuerOf(catalogue.tenant.id), tenant: catalogue.tenant.id }
  const token = accessTokenFacts(jws.claims, from)
  return token === null ? unknown : { kind: 'access', token }
}
