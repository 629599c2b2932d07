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
const shortestRemainder = 2000

export const jwtBearer: GrantRule<JwtBearerParams, { assertion: 'foreign' }> = {
  type: jwtBearerGrant,

  parse(form) {
    const assertion = form.get('assertion')
    if (assertion === undefined) return err({ reason: 'parameter_missing', name: 'assertion' })
    const access = accessParams(form)
    return access.kind === 'error' ? access : ok({ assertion, ...access.value })
  },

  lookups: ({ assertion }) => ({ assertion: { find: 'foreign', by: assertion } }),

  decide(input) {
    const { assertion } = input.facts
    const refusal = foreignRefusal(assertion)
    if (refusal !== null) return refuse(refusal)
    if (assertion?.kind !== 'foreign') return refuse({ reason: 'assertion_invalid' })
    return assertion.idJag ? redeemIdJag(assertion, input) : workloadToken(assertion, input)
  },
}

function workloadToken(assertion: TrustedAssertion, input: JwtBearerInput): GrantDecision {
  // A rule makes one client of a workload; no other client may use its assertion.
  if (assertion.client?.id !== input.client.id || assertion.expiresAt < input.now + shortestRemainder)
    return refuse({ reason: 'assertion_invalid' })
  // RFC 7800 §3.1: a token that is bound to a key is of use only to whoever has that key.
  if (!holdsToken(assertion.claims['cnf'], input.possession ?? noPossession))
    return refuse({ reason: 'assertion_invalid' })
  const access = ownAccess(input)
  if (access.kind === 'error') return refuse(access.error)
  return {
    do: 'issue',
    grantId: null,
    subject: input.client.id,
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

/** The assertion is used up where its issuer's tokens are taken once and it has a `jti`. */
const assertionUse = ({ id, issuer, singleUse, expiresAt }: TrustedAssertion) =>
  id === null || !singleUse ? {} : { assertion: { id: assertionName(issuer, id), expiresAt } }
