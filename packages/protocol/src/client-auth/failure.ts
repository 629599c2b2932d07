/** Why a client was not authenticated: for the operator's log and the event, never for the answer. */
import type { Client } from '../registration/client.ts'
import { assertionProblem } from './private-key-jwt.ts'
import type { ClientAuthInput } from './rule.ts'
import { selfSignedProblem } from './self-signed-tls-client-auth.ts'
import { tlsClientAuthProblem } from './tls-client-auth.ts'

export interface AuthenticationFailure {
  /** Null where there is no such client. */
  readonly clientId: string | null
  readonly reason: string
  /** What the client is registered with, where it came with something else. */
  readonly expected?: string
}

/** Nothing could be recognised: no credentials, or of a kind that is not known here. */
export const unrecognised: AuthenticationFailure = { clientId: null, reason: 'credentials_missing' }

/** Which check the certificate fails, by the method that the client registered. */
const certificateProblem: Readonly<Record<string, (it: ClientAuthInput) => string | null>> = {
  tls_client_auth: tlsClientAuthProblem,
  self_signed_tls_client_auth: selfSignedProblem,
}

export function authenticationFailure(it: ClientAuthInput & { readonly client: Client | null }): AuthenticationFailure {
  const { client, presented } = it
  if (client === null) return { clientId: null, reason: 'client_unknown' }
  const registered = client.metadata.token_endpoint_auth_method
  const problem = presented.method === 'none' ? certificateProblem[registered] : undefined
  if (registered !== presented.method && problem === undefined && presented.workload?.asGrant !== true)
    return { clientId: client.id, reason: `sent_${presented.method}`, expected: registered }
  if (client.disabledAt !== null) return { clientId: client.id, reason: 'client_disabled' }
  if (problem !== undefined) return { clientId: client.id, reason: problem(it) ?? 'certificate_unserved' }
  if (presented.assertion === undefined) return { clientId: client.id, reason: 'secret_wrong' }
  return { clientId: client.id, reason: assertionProblem(it) ?? 'assertion_used' }
}
