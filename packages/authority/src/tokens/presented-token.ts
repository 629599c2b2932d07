/**
 * Determines what a presented string is, by its shape, its signature and the store. Nothing in it is trusted before
 * that.
 */
import type { RefreshFacts } from '@grantor/protocol/grants'
import { jwtType } from '@grantor/protocol/jose'
import {
  type AccessTokenFacts,
  accessTokenFacts,
  type ApiKey,
  type Catalogue,
  isAccessTokenType,
  isApiKey,
  maySayAccess,
  type TokenShape,
} from '@grantor/protocol/oauth'
import type { Store } from '@grantor/store'
import type { Keyring } from '../keys/keyring.ts'
import { type VerifiedJws, verifyOwnJws } from '../keys/verify-own-jws.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import { type RightsDependencies, withRightsNow } from './rights-now.ts'

export type PresentedToken =
  | { readonly kind: 'access'; readonly token: AccessTokenFacts }
  | { readonly kind: 'refresh'; readonly refresh: RefreshFacts }
  /** An API key, which opens one API; it is not an access token. */
  | { readonly kind: 'api_key'; readonly key: ApiKey }
  /** Issued here, but without access: an ID token (then with its claims), a code, a client secret. */
  | { readonly kind: 'unsupported'; readonly jws: VerifiedJws | null }
  | { readonly kind: 'unknown' }

const unknown: PresentedToken = { kind: 'unknown' }

export interface PresentedTokenDependencies extends RightsDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly issuers: Issuers
  readonly keyring: Pick<Keyring, 'verifier'>
  readonly store: Pick<Store, 'apiKeys' | 'tokens' | 'grants'>
}

export async function findPresentedToken(
  presented: { readonly token: string; readonly shape: TokenShape },
  catalogue: Catalogue,
  deps: PresentedTokenDependencies,
): Promise<PresentedToken> {
  const { ids, store } = deps
  const tenant = catalogue.tenant.id
  switch (presented.shape) {
    case 'jwt':
      return ownJwt(presented.token, catalogue, deps)
    case 'access': {
      const token = await store.tokens.opaque(tenant, ids.handleOf(presented.token))
      return token === null ? unknown : { kind: 'access', token: await withRightsNow(token, catalogue, deps) }
    }
    case 'refresh': {
      const refresh = await store.grants.refresh(tenant, ids.handleOf(presented.token))
      return refresh === null ? unknown : { kind: 'refresh', refresh }
    }
    case 'unsupported':
      return { kind: 'unsupported', jws: null }
    case 'api_key': {
      // The checksum detects a mistyped key, without a lookup.
      const key = isApiKey(presented.token) ? await store.apiKeys.byHandle(tenant, ids.handleOf(presented.token)) : null
      return key === null ? unknown : { kind: 'api_key', key }
    }
    case 'unknown':
      return unknown
  }
}

async function ownJwt(text: string, catalogue: Catalogue, deps: PresentedTokenDependencies): Promise<PresentedToken> {
  const { keyring, issuers } = deps
  const tenant = catalogue.tenant.id
  const jws = await verifyOwnJws(text, (kid) => keyring.verifier(catalogue, kid))
  if (jws === null) return unknown
  // A resource may use the token type of ID tokens for its access tokens; the claims tell them apart.
  const mayBe = isAccessTokenType(jws.typ) || (jws.typ === jwtType.id.toLowerCase() && maySayAccess(jws.claims))
  if (!mayBe) return { kind: 'unsupported', jws }
  const token = accessTokenFacts(jws.claims, { issuer: issuers.issuerOf(tenant), tenant })
  return token === null ? unknown : { kind: 'access', token: await withRightsNow(token, catalogue, deps) }
}
