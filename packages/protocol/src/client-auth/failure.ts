/** Why a client was not authenticated: for the operator's log and the event, never for the answer. */
import type { Client } from '../registration/client.ts'
import { assertionProblem } from './private-key-jwt.ts'
import type { ClientAuthInput } from './rule.ts'
import { selfSignedProblem } from './self-signed-tls-client-auth.ts'
import { tlsClientAuthProblem } from './tls-client-auth.ts'

export interface AuthenticationFailure {
  /** Null where no such client exists. */
  readonly clientId: string | null
  readonly reason: string
  /** The registered method, where the client used another. */
  readonly expected?: string
}

/** No credentials were recognised: there are none, or only of an unknown kind. */
export const unrecognised: AuthenticationFailure = { clientId: null, reason: 'credentials_missing' }

/** The failed check of a certificate, by the method that the client registered. */
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
