/**
 * JWT bearer — RFC 7521 §4.1, RFC 7523 §2.1: a trusted issuer's token about a workload yields a token of the client
 * that a rule names, without any stored secret; and an ID-JAG yields a token of a person (id-jag.ts).
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

/** Milliseconds: an assertion that expires within this time would yield a token that is expired on arrival. */
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
  // A rule maps a workload to one client; no other client may use its assertion.
  if (assertion.client?.id !== input.client.id || assertion.expiresAt < input.now + shortestRemainder)
    return refuse({ reason: 'assertion_invalid' })
  // RFC 7800 §3.1: a token that is bound to a key is only valid with proof of that key.
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
    // RFC 7521 §4.1: the token does not outlive the assertion.
    expiresBy: assertion.expiresAt,
    ...assertionUse(assertion),
    eventData: assertedBy(assertion),
  }
}

/** The assertion is used up if its issuer's tokens are accepted only once and it has a `jti`. */
const assertionUse = ({ id, issuer, singleUse, expiresAt }: TrustedAssertion) =>
  id === null || !singleUse ? {} : { assertion: { id: assertionName(issuer, id), expiresAt } }
