/** Who is asking: RFC 6749 §2.3, §3.2.1, §5.2. First recognise, then (with the client loaded, or not found) decide. */
import type { Refusal } from '../oauth/refusal.ts'
import type { Client } from '../registration/client.ts'
import type { Handle } from '../types.ts'
import { err, type Ok, ok, type Result } from '../result.ts'
import { usesUnknownScheme } from './client-secret-basic.ts'
import { clientAuthRules } from './index.ts'
import type { ClientAuthRequest, ClientAuthInput, PresentedClient } from './rule.ts'

/** What the client presents. RFC 6749 §2.3: more than one method in a request is refused. */
export function recogniseClient(
  request: ClientAuthRequest,
  handleOf: (secret: string) => Handle,
): Result<PresentedClient, Refusal> {
  // RFC 6749 §5.2: an unsupported method is a failed authentication.
  if (usesUnknownScheme(request)) return err({ reason: 'client_unauthenticated', challenge: true })
  let found: Ok<PresentedClient> | null = null
  for (const rule of clientAuthRules) {
    const presented = rule.recognise(request, handleOf)
    if (presented === null) continue
    if (presented.kind === 'error') return presented
    if (found !== null) return err({ reason: 'client_auth_ambiguous' })
    found = presented
  }
  return found ?? err({ reason: 'client_unauthenticated', challenge: false })
}

/** The client itself where it is proven. All other answers are one and the same, after the same work. */
export function authenticateClient(it: ClientAuthInput): Result<Client, Refusal> {
  const { presented, client } = it
  const rule = clientAuthRules.find((rule) => rule.method === presented.method)
  const proven = rule?.proves(it) ?? false
  const allowed = client?.metadata.token_endpoint_auth_method === presented.method && client.disabledAt === null
  if (client !== null && proven && allowed) return ok(client)
  return err({ reason: 'client_unauthenticated', challenge: presented.method === 'client_secret_basic' })
}
