/** Signed CIBA requests (§7.1.1): verified as request objects are (RFC 9101), short-lived, and accepted once. */
import { requestObjectProblem, signedForm } from '@grantor/protocol/authorize'
import { parseJwt } from '@grantor/protocol/jose'
import { type Form, type Policy, type Refusal, textLimits } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { tokenEnd, tokenIdOf } from '@grantor/protocol/trust'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { clientKeys } from '../clients/keys.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'

export interface SignedRequestDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly issuers: Issuers
  readonly policy: Policy
  readonly outbound: Outbound
  readonly store: Pick<Store, 'assertions'>
}

/** The parameters of a request: if it has a request object, only those inside it. */
export interface CountedParameters {
  readonly form: Form
  /** Uses up the request object; false where it was used before. */
  use(): Promise<boolean>
}

const unsigned = (form: Form): CountedParameters => ({ form, use: () => Promise.resolve(true) })

export async function backchannelParameters(
  form: Form,
  client: Client,
  deps: SignedRequestDependencies,
): Promise<Result<CountedParameters, Refusal>> {
  const text = form.get('request')
  const alg = client.metadata.backchannel_authentication_request_signing_alg
  // §7.1.1: a client that has registered an algorithm signs all of its requests.
  if (text === undefined) return alg === undefined ? ok(unsigned(form)) : err({ reason: 'request_object_missing' })
  const refused = (problem: string) => err({ reason: 'backchannel_request_invalid', problem } as const)
  const object = text.length > textLimits.jwt ? null : parseJwt(text)
  if (object === null) return refused('is not a signed JWT')
  const now = deps.clock.now()
  const problem = requestObjectProblem({
    object,
    client:
      alg === undefined ? client : { ...client, metadata: { ...client.metadata, request_object_signing_alg: alg } },
    keys: await clientKeys(client, { jwt: object, alg }, deps.outbound),
    issuer: deps.issuers.issuerOf(client.tenant),
    now,
    leeway: deps.policy.leeway,
    timed: true,
  })
  if (problem !== null) return refused(problem)
  const id = tokenIdOf(object)
  // §7.1.1 requires both; without an identifier the object could be sent again.
  if (id === null || typeof object.claims['iat'] !== 'number') return refused('must say iat and jti')
  return ok({
    form: signedForm(object, client),
    async use() {
      const spent = await deps.store.assertions.spend({
        tenant: client.tenant,
        clientId: client.id,
        handle: deps.ids.handleOf(`backchannel request ${id}`),
        expiresAt: (tokenEnd(object) + deps.policy.leeway * 1000) as Instant,
      })
      return spent === 'spent'
    },
  })
}
