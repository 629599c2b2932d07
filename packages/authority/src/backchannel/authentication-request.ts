/** POST /backchannel_authentication (CIBA §7), without HTTP: parse → load → decide → mint → commit → answer. */
import { acceptBackchannelRequest, backchannelResponse } from '@grantor/protocol/authorize'
import { servesBackchannel } from '@grantor/protocol/grants'
import { secretPrefix } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { basisOf } from '../directory.ts'
import type { EndpointResult } from '../endpoint.ts'
import type { DeviceEndpointRequest } from '../device/device-authorization.ts'
import { type HintLimitDependencies, hintLimitReached } from './hint-limit.ts'
import { findHintedPerson, type HintedPersonDependencies } from './hinted-person.ts'
import { backchannelRequested, type KeptRequestDependencies, newBackchannelRequest } from './kept-request.ts'
import { backchannelParameters, type SignedRequestDependencies } from './signed-request.ts'
import { checkUserCode } from './user-code.ts'

export type BackchannelDependencies = HintedPersonDependencies &
  KeptRequestDependencies &
  HintLimitDependencies &
  SignedRequestDependencies & {
    readonly served: Parameters<typeof servesBackchannel>[0]
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'backchannel'>
  }

export function openBackchannelAuthentication(deps: BackchannelDependencies) {
  const { directory, issuers, policy, store } = deps
  return async (request: DeviceEndpointRequest): Promise<EndpointResult<JsonObject>> => {
    if (!servesBackchannel(deps.served)) return err({ reason: 'not_found' })
    // A request that is decided again on fresh facts is still the same use of its hint, and of its request object.
    let limited: ReturnType<typeof hintLimitReached> | null = null
    let used: Promise<boolean> | null = null
    return deps.serveClient('backchannel', request, async (authenticate) => {
      const catalogue = await directory.servedCatalogue(request.tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      const authenticated = await authenticate()
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const issuer = issuers.issuerOf(request.tenant)
      const counted = await backchannelParameters(request.form, client, deps)
      if (counted.kind === 'error') return counted
      const asked = acceptBackchannelRequest(counted.value.form, { client, catalogue, issuer, policy })
      if (asked.kind === 'error') return asked
      const refused = await (limited ??= hintLimitReached(asked.value.hint, client, deps))
      if (refused !== null) return refused
      const hinted = await findHintedPerson(asked.value.hint, { client, catalogue }, deps)
      if (hinted.kind === 'error') return hinted
      const person = await checkUserCode(hinted.value, { asked: asked.value, client }, deps)
      if (person.kind === 'error') return person
      if (!(await (used ??= counted.value.use())))
        return err({ reason: 'backchannel_request_invalid', problem: 'was used before' })
      const accepted = { request, client, asked: asked.value, ...person.value }
      const authReqId = deps.ids.secret(secretPrefix.authReqId)
      const outcome = await store.backchannel.open(newBackchannelRequest(accepted, authReqId, deps), {
        basis: basisOf(catalogue, client),
        mostWaiting: policy.backchannelWaiting,
        events: [backchannelRequested(accepted, deps)],
        unasked: [backchannelRequested({ ...accepted, person: null, unasked: 'too_many_waiting' }, deps)],
      })
      if (outcome === 'stale') return 'stale'
      return ok(
        backchannelResponse({ authReqId, expiresIn: asked.value.expiresIn, interval: policy.backchannelInterval }),
      )
    })
  }
}
