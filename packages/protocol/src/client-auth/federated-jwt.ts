/**
 * federated_jwt — a client without a secret: a token of a trusted issuer, and the rule that maps it to a client. Sent
 * as client assertion (RFC 7521 §4.2, RFC 7523 §2.2), or as the assertion of the grant itself, which then also
 * authenticates the client (RFC 7523 §2.1: client authentication is optional there).
 */
import { jwtBearerGrant } from '../grants/grant-types.ts'
import { type ParsedJwt, parseJwt } from '../jose/jwt.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { isIdJag, subjectOfToken } from '../trust/trusted-token.ts'
import { ok } from '../result.ts'
import { assertionType, isOfOthers } from './private-key-jwt.ts'
import { type ClientAuthRequest, type ClientAuthRule, isClientId } from './rule.ts'

export const federatedMethod = 'federated_jwt'

export const federatedJwt: ClientAuthRule = {
  method: federatedMethod,
  recognise(request) {
    const { form } = request
    const asGrant = showsGrantAlone(request)
    const jwt = asGrant ? readable(form.get('assertion')) : assertionOfOthers(request)
    if (jwt === null || (asGrant && isIdJag(jwt))) return null
    const named = form.get('client_id') ?? null
    const clientId = named ?? subjectOfToken(jwt)
    // The name is not trusted, but used for counting: made-up names are limited by address.
    const counted = isClientId(clientId) ? clientId : ''
    return ok({ method: federatedMethod, clientId: counted, secret: null, workload: { jwt, asGrant, named } })
  },
  proves: ({ client, workloadOf }) => client !== null && workloadOf === client.id,
}

/**
 * The request has only the grant's assertion. With an ID-JAG, which concerns a person, the client must still
 * authenticate.
 */
const showsGrantAlone = ({ form, authorization }: ClientAuthRequest): boolean =>
  authorization === null &&
  form.get('grant_type') === jwtBearerGrant &&
  ['client_secret', 'client_assertion', 'client_assertion_type'].every((name) => form.get(name) === undefined)

const readable = (text: string | undefined): ParsedJwt | null =>
  text === undefined || text.length > textLimits.jwt ? null : parseJwt(text)

function assertionOfOthers({ form }: ClientAuthRequest): ParsedJwt | null {
  const jwt = form.get('client_assertion_type') === assertionType ? readable(form.get('client_assertion')) : null
  return jwt !== null && isOfOthers(jwt) ? jwt : null
}
