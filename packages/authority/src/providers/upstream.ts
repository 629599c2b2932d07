/** The endpoints of a provider, from its discovery document or from what is known of its kind. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { isIssuerOfDocument, presetOf, type Provider, upstreamAlgorithms } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import type { Outbound, OutboundCause } from '../ports/outbound.ts'

export const providerCause: OutboundCause = { purpose: 'providers', clientId: null }
export const documentTypes = ['application/json']
export const mostDocumentBytes = 64 * 1024

export interface Upstream {
  /** As its document spells it; Entra's may contain a placeholder. */
  readonly issuer: string
  readonly authorization: string
  readonly token: string
  readonly userinfo: string | null
  readonly jwksUri: string
  /** The algorithms that its ID tokens and logout tokens for us may be signed with. */
  readonly algs: readonly string[]
  /** RFC 9207 §3: then an answer without `iss` is somebody else's. */
  readonly namesItself: boolean
  /** RFC 6749 §2.3.1; otherwise the secret is sent in the form. */
  readonly basic: boolean
}

/** For the operator's log. */
export type UpstreamProblem = 'upstream_unreachable' | 'upstream_metadata'

export async function upstreamOf(
  provider: Provider,
  outbound: Pick<Outbound, 'fetch'>,
): Promise<Result<Upstream, UpstreamProblem>> {
  if (presetOf(provider).protocol === 'github') return ok(githubEndpoints(provider.issuer))
  // OIDC Discovery §4.1: a final slash is removed before the path is appended.
  const url = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await outbound.fetch({ url, types: documentTypes, maxBytes: mostDocumentBytes, cause: providerCause })
  if (found.kind === 'error') return err('upstream_unreachable')
  const read = endpointsIn(documentIn(found.value.body), provider)
  return read === null ? err('upstream_metadata') : ok(read)
}

/** Null for a body that is not a JSON object, or has a duplicate member. */
export function documentIn(body: Uint8Array): JsonObject | null {
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8')) : null
  return read?.kind === 'ok' && isJsonObject(read.value) ? read.value : null
}

function endpointsIn(document: JsonObject | null, provider: Provider): Upstream | null {
  if (document === null || !isIssuerOfDocument(document['issuer'], provider.issuer)) return null
  const [authorization, token, jwksUri] = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) =>
    address(document[name]),
  )
  if (authorization == null || token == null || jwksUri == null) return null
  const methods = document['token_endpoint_auth_methods_supported']
  return {
    issuer: document['issuer'],
    authorization,
    token,
    jwksUri,
    algs: upstreamAlgorithms(provider, document['id_token_signing_alg_values_supported']),
    userinfo: address(document['userinfo_endpoint']),
    namesItself: document['authorization_response_iss_parameter_supported'] === true,
    // OIDC Discovery §3: without a list, basic is the default.
    basic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  }
}

/** Browsers are redirected to one of these addresses: only https is accepted. */
const address = (value: Json | undefined): string | null =>
  typeof value === 'string' && URL.parse(value)?.protocol === 'https:' ? value : null

/** GitHub's own server has its API on another host, an Enterprise server below its own address. */
function githubEndpoints(issuer: string): Upstream {
  const home = issuer.replace(/\/$/, '')
  return {
    issuer,
    authorization: `${home}/login/oauth/authorize`,
    token: `${home}/login/oauth/access_token`,
    userinfo: home === 'https://github.com' ? 'https://api.github.com' : `${home}/api/v3`,
    jwksUri: '',
    algs: [],
    namesItself: false,
    basic: false,
  }
}
