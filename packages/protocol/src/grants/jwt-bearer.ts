/**
 * JWT bearer — RFC 7521 §4.1, RFC 7523 §2.1: what a trusted issuer says of a workload becomes a token of the client that
 * a rule names, without any stored secret; and an ID-JAG becomes a token of a person (id-jag.ts).
 */
import { holdsToken, noPossession } from '../oauth/confirmation.ts'
import { err, ok } from '../result.ts'
import { assertedBy, assertionName, foreignRefusal, type TrustedAssertion } from './assertion.ts'
import { jwtBearerGrant } from './grant-types.ts'
import { redeemIdJag } from './id-jag-redemption.ts'
import { type AccessParams, accessParams, ownAccess } from './own-access.ts'
import { type GrantDecision, type GrantInput, type GrantRule, refuse } from './rule.ts'

export interface JwtBearerParams extends AccessParams {
  readonly assertion: string
}
export type JwtBearerInput = GrantInput<JwtBearerParams, { assertion: 'foreign' }>

/** Milliseconds: an assertion that ends within these gives a token that would be dead on arrival. */
const leastLeft = 2000

export const jwtBearer: GrantRule<JwtBearerParams, { assertion: 'foreign' }> = {
  type: jwtBearerGrant,

  parse(form) {
    const assertion = form.get('assertion')
    if (assertion === undefined) return err({ reason: 'parameter_missing', name: 'assertion' })
    const access = accessParams(form)
    return access.kind === 'error' ? access : ok({ assertion, ...access.value })
  },

  lookups: ({ assertion }) => ({ assertion: { find: 'foreign', by: assertion } }),

  decide(it) {
    const { assertion } = it.facts
    const refusal = foreignRefusal(assertion)
    if (refusal !== null) return refuse(refusal)
    if (assertion?.kind !== 'foreign') return refuse({ reason: 'assertion_invalid' })
    return assertion.idJag ? redeemIdJag(assertion, it) : workloadToken(assertion, it)
  },
}

function workloadToken(assertion: TrustedAssertion, it: JwtBearerInput): GrantDecision {
  // One workload is one client: whoever else sends it has no part in it.
  if (assertion.client?.id !== it.client.id || assertion.expiresAt < it.now + leastLeft)
    return refuse({ reason: 'assertion_invalid' })
  // RFC 7800 §3.1: a token that is bound to a key says nothing for whoever has not the key.
  if (!holdsToken(assertion.claims['cnf'], it.possession ?? noPossession))
    return refuse({ reason: 'assertion_invalid' })
  const access = ownAccess(it)
  if (access.kind === 'error') return refuse(access.error)
  return {
    do: 'issue',
    grantId: null,
    subject: it.client.id,
    ...access.value,
    claims: {},
    spend: null,
    refresh: null,
    idToken: null,
    // RFC 7521 §4.1: what an assertion brings does not outlive it.
    expiresBy: assertion.expiresAt,
    ...assertionUse(assertion),
    eventData: assertedBy(assertion),
  }
}

/** What is used up, where it is to be used once and says by which name. */
const assertionUse = ({ id, issuer, singleUse, expiresAt }: TrustedAssertion) =>
  id === null || !singleUse ? {} : { assertion: { id: assertionName(issuer, id), expiresAt } }
