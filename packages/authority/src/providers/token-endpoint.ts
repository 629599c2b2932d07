/** Calls the token endpoint of a provider, as its client. */
import type { StoredProvider } from '@grantor/protocol/providers'
import { ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Clock } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'
import { answerProblem, type AnswerProblem } from './answer.ts'
import { providerSecret, shownSecret } from './client-secret.ts'
import { documentIn, documentTypes, mostDocumentBytes, providerCause, type Upstream } from './upstream.ts'

export interface TokenEndpoint {
  readonly tenant: TenantId
  readonly provider: StoredProvider
  readonly upstream: Upstream
}

export interface TokenEndpointDependencies {
  readonly clock: Clock
  readonly outbound: Pick<Outbound, 'submit'>
  readonly vault: Vault
}

export async function askTokenEndpoint(
  { tenant, provider, upstream }: TokenEndpoint,
  form: Readonly<Record<string, string>>,
  { clock, outbound, vault }: TokenEndpointDependencies,
): Promise<Result<JsonObject, AnswerProblem>> {
  const kept = providerSecret(tenant, provider, vault)
  if (kept === undefined) return answerProblem('secret_unopened', true)
  const secret = kept === null ? null : shownSecret(provider, kept, clock.now())
  const basic = secret !== null && upstream.basic && provider.kind !== 'apple'
  const answer = await outbound.submit({
    url: upstream.token,
    form: {
      ...form,
      ...(basic ? {} : { client_id: provider.client_id }),
      ...(basic || secret === null ? {} : { client_secret: secret }),
    },
    authorization: basic ? basicAuthorization(provider.client_id, secret) : null,
    types: documentTypes,
    maxBytes: mostDocumentBytes,
    cause: providerCause,
  })
  // A refused code is answered with 400, but so may be a server fault: in both cases the person can try again.
  if (answer.kind === 'error') return answerProblem(`token_endpoint_${answer.error}`, true)
  const tokens = documentIn(answer.value.body)
  return tokens === null ? answerProblem('token_endpoint_answer') : ok(tokens)
}

/** RFC 6749 §2.3.1: id and secret are form-encoded first. */
function basicAuthorization(id: string, secret: string): string {
  const encoded = [id, secret].map((it) => new URLSearchParams({ v: it }).toString().slice(2)).join(':')
  return `Basic ${Buffer.from(encoded).toString('base64')}`
}

/** RFC 6750 §2.1: the characters allowed after `Bearer`. */
export const isBearer = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value)
