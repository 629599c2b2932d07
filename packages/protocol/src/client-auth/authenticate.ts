/**
 * Client authentication: RFC 6749 §2.3, §3.2.1, §5.2. First recognises the credentials, then (with the client loaded,
 * or not found) decides.
 */
import type { Refusal } from '../oauth/refusal.ts'
import type { Client } from '../registration/client.ts'
import { profileOf } from '../registration/profiles.ts'
import type { Handle } from '../types.ts'
import { err, type Ok, ok, type Result } from '../result.ts'
import { parseAuthorizationHeader } from '../http/authorization.ts'
import type { ClientAuthRequest, ClientAuthInput, ClientAuthRule, PresentedClient } from './rule.ts'

/** Recognises the credentials of a request. RFC 6749 §2.3: more than one method in a request is refused. */
export function recogniseClient(
  rules: readonly ClientAuthRule[],
  request: ClientAuthRequest,
  handleOf: (secret: string) => Handle,
): Result<PresentedClient, Refusal> {
  // RFC 6749 §5.2: an unsupported method is a failed authentication.
  if (usesUnknownScheme(rules, request)) return err({ reason: 'client_unauthenticated', challenge: true })
  let found: Ok<PresentedClient> | null = null
  for (const rule of rules) {
    const presented = rule.recognise(request, handleOf)
    // A request with a proof names its client beside it, as does one with none: `none` counts only if no other method
    // does.
    if (presented === null || (found !== null && rule.method === 'none')) continue
    if (presented.kind === 'error') return presented
    if (found !== null) return err({ reason: 'client_auth_ambiguous' })
    found = presented
  }
  return found ?? err({ reason: 'client_unauthenticated', challenge: false })
}

/** An unknown scheme in the Authorization header is an attempt to authenticate by an unsupported method. */
const usesUnknownScheme = (rules: readonly ClientAuthRule[], { authorization }: ClientAuthRequest): boolean =>
  authorization !== null &&
  !rules.some(({ scheme }) => scheme !== undefined && scheme === parseAuthorizationHeader(authorization)?.scheme)

/** Returns the client if it is authenticated. All refusals are the same, after the same work. */
export function authenticateClient(rules: readonly ClientAuthRule[], it: ClientAuthInput): Result<Client, Refusal> {
  const { client } = it
  const method = methodOf(rules, it)
  const rule = rules.find((rule) => rule.method === method)
  const proven = rule?.proves(it) ?? false
  const fitting = client?.metadata.token_endpoint_auth_method === method || byGrantAlone(it)
  const allowed = fitting && client?.disabledAt === null
  if (client !== null && proven && allowed) return ok(client)
  return err({ reason: 'client_unauthenticated', challenge: rule?.scheme !== undefined })
}

/**
 * RFC 7523 §2.1: the grant needs no client authentication beside its assertion, unless the client's profile requires
 * it.
 */
const byGrantAlone = ({ presented, client }: ClientAuthInput): boolean =>
  presented.workload?.asGrant === true && client !== null && profileOf(client).provenByOthers

/**
 * The method that applies: a client that shows nothing in the request itself may authenticate by a certificate, if it
 * is registered for that.
 */
export function methodOf(rules: readonly ClientAuthRule[], { presented, client }: ClientAuthInput): string {
  const registered = client?.metadata.token_endpoint_auth_method
  const byCertificate = rules.some((rule) => rule.byCertificate === true && rule.method === registered)
  return presented.method === 'none' && byCertificate ? (registered ?? presented.method) : presented.method
}
