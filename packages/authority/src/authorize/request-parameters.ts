/**
 * Reads the parameters of an authorization request, from the request or from an object that the client signed (RFC
 * 9101).
 */
import { isUtf8 } from 'node:buffer'
import { requestObjectProblem, signedForm, unprovenForm } from '@grantor/protocol/authorize'
import { parseJwt } from '@grantor/protocol/jose'
import { type Form, type Policy, type Refusal, textLimits } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { withoutFragment } from '@grantor/protocol/uri'
import { clientKeys } from '../clients/keys.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'

export interface RequestObjectDependencies {
  readonly clock: Clock
  readonly issuers: Issuers
  readonly policy: Policy
  readonly outbound: Outbound
}

export interface RequestParameters {
  readonly form: Form
  readonly signed: boolean
}

/** `asked` tells only where the refusal is sent: nothing else in it is trusted. */
export interface RefusedObject {
  readonly refusal: Refusal
  readonly asked: Form
}

export async function requestParameters(
  form: Form,
  client: Client,
  deps: RequestObjectDependencies,
): Promise<Result<RequestParameters, RefusedObject>> {
  const [request, requestUri] = [form.get('request'), form.get('request_uri')]
  if (request === undefined && requestUri === undefined) return ok({ form, signed: false })
  if (request !== undefined && requestUri !== undefined)
    return err({ refusal: { reason: 'request_given_twice' }, asked: form })
  const found = request === undefined ? await fetchedObject(requestUri ?? '', client, deps) : ok(request)
  if (found.kind === 'error') return err({ refusal: found.error, asked: form })
  const refused = (problem: string) =>
    err({ refusal: { reason: 'request_object_invalid', problem } as const, asked: unprovenForm(form, found.value) })
  const object = found.value.length > textLimits.jwt ? null : parseJwt(found.value)
  if (object === null) return refused(unreadable(found.value))
  const alg = client.metadata.request_object_signing_alg
  const problem = requestObjectProblem({
    object,
    client,
    keys: await clientKeys(client, { jwt: object, alg }, deps.outbound),
    issuer: deps.issuers.issuerOf(client.tenant),
    now: deps.clock.now(),
    leeway: deps.policy.leeway,
    timed: client.metadata.require_signed_request_object === true,
  })
  return problem === null ? ok({ form: signedForm(object, client), signed: true }) : refused(problem)
}

const unreadable = (text: string): string =>
  text.split('.').length === 5 ? 'is encrypted, which is not taken here' : 'is not a signed JWT'

const types = ['application/oauth-authz-req+jwt', 'application/jwt']

/**
 * RFC 9101 §10.4.1: fetched only from addresses that the client registered. It is fetched for each request, since a
 * client may change what it serves at an address.
 */
async function fetchedObject(
  requestUri: string,
  { id, metadata }: Client,
  { outbound }: RequestObjectDependencies,
): Promise<Result<string, Refusal>> {
  const url = withoutFragment(requestUri)
  if (metadata.request_uris?.some((it) => withoutFragment(it) === url) !== true)
    return err({ reason: 'request_uri_unregistered' })
  const answer = await outbound.fetch({
    url,
    types,
    maxBytes: textLimits.jwt,
    anew: true,
    cause: { purpose: 'request_uris', clientId: id },
  })
  if (answer.kind === 'error' || !isUtf8(answer.value.body)) return err({ reason: 'request_uri_unfetched' })
  return ok(Buffer.from(answer.value.body).toString('utf8').trim())
}
