/**
 * The Authorization header for polling a provider's security events: a stored header, or a token that we request there.
 */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Outbound } from '../../ports/outbound.ts'
import { providerSecret } from '../client-secret.ts'
import { askTokenEndpoint, isBearer, type TokenEndpoint, type TokenEndpointDependencies } from '../token-endpoint.ts'
import { upstreamOf } from '../upstream.ts'

export interface SignalsAuthorizationDependencies extends TokenEndpointDependencies {
  readonly outbound: Pick<Outbound, 'fetch' | 'submit'>
}

export interface SignalsAuthorization {
  /** Null where no header is sent; an error is a text for the operator. */
  of(at: Omit<TokenEndpoint, 'upstream'>): Promise<Result<string | null, string>>
  /** Called when the header was refused: the next token is requested anew. */
  forget(at: Omit<TokenEndpoint, 'upstream'>): void
}

interface HeldToken {
  readonly authorization: string
  /** Milliseconds. */
  readonly until: number
}

/** The most tokens in memory. */
const mostTokens = 1_000
/**
 * Seconds. A token without a stated lifetime is used for `shortLife`; every token is replaced `margin` before its end.
 */
const shortLife = 60
const margin = 30

export function openSignalsAuthorization(deps: SignalsAuthorizationDependencies): SignalsAuthorization {
  const held = new Map<string, HeldToken>()
  /** A changed declaration gets a new token. */
  const keyOf = ({ tenant, provider }: Omit<TokenEndpoint, 'upstream'>): string => {
    const { id, issuer, client_id: clientId, signals_scope: scope, sealed_secret: secret } = provider
    return JSON.stringify([tenant, id, issuer, clientId, scope, secret])
  }

  /** RFC 6749 §4.4. */
  async function fetchToken(at: Omit<TokenEndpoint, 'upstream'>): Promise<Result<HeldToken, string>> {
    const upstream = await upstreamOf(at.provider, deps.outbound)
    if (upstream.kind === 'error') return upstream
    const form = { grant_type: 'client_credentials', scope: at.provider.signals_scope ?? '' }
    const answer = await askTokenEndpoint({ ...at, upstream: upstream.value }, form, deps)
    if (answer.kind === 'error') return err(answer.error.problem)
    const { access_token: token, token_type: type, expires_in: life = shortLife + margin } = answer.value
    const isPlain = typeof type === 'string' && type.toLowerCase() === 'bearer'
    if (!isBearer(token) || !isPlain || typeof life !== 'number') return err('token_endpoint_answer')
    return ok({ authorization: `Bearer ${token}`, until: deps.clock.now() + (life - margin) * 1000 })
  }

  return {
    async of(at) {
      const kept = providerSecret(at.tenant, at.provider, deps.vault, 'sealed_signals_authorization')
      if (kept === undefined) return err('secret_unopened')
      if (kept !== null || at.provider.signals_scope === undefined) return ok(kept)
      const key = keyOf(at)
      const known = held.get(key)
      if (known !== undefined && known.until > deps.clock.now()) return ok(known.authorization)
      held.delete(key)
      const fetched = await fetchToken(at)
      if (fetched.kind === 'error') return fetched
      if (held.size >= mostTokens) held.clear()
      held.set(key, fetched.value)
      return ok(fetched.value.authorization)
    },
    forget(at) {
      held.delete(keyOf(at))
    },
  }
}
