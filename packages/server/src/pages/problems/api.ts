/** Problem types of the resource conventions (RFC 9457): what a protected API answers with. */
import type { ProblemSlug } from '@grantor/protocol/http'
import type { Explanation } from './text.ts'

interface ApiExplanation extends Explanation {
  /** The status, where there is more to say than that of the type. */
  readonly status?: string
  /** The specification; left out, the conventions of this service. */
  readonly source?: string
}

export const apiProblems: Readonly<Record<ProblemSlug, ApiExplanation>> = {
  'invalid-request': {
    title: 'The request is not well formed.',
    happened: 'The address, a header or the body could not be read.',
    why: ['The JSON is broken, a query parameter is unknown, or a header is malformed.'],
    remedy: [
      'Read detail, correct the request. A misspelt filter is refused on purpose: it must not return everything.',
    ],
  },
  'validation-error': {
    title: 'The content does not fit the schema.',
    happened: 'The body was read, but some of its fields are not acceptable.',
    why: ['A field is missing, unknown, read-only, or out of its range. errors lists each one with a pointer.'],
    remedy: ['Correct the fields that errors names. Prefer: handling=lenient ignores unknown fields.'],
  },
  'invalid-cursor': {
    title: 'The cursor cannot be used.',
    happened: 'The list could not be continued from there.',
    why: ['The cursor is old, altered, of another tenant, or was made for another filter or sort order.'],
    remedy: ['Start the list again without a cursor. Take cursors from next_cursor only.'],
  },
  'idempotency-key-missing': {
    title: 'An Idempotency-Key is required.',
    happened: 'This operation does lasting work and was sent without a key.',
    why: ['Without a key, a retry after a lost answer would do the work twice.'],
    remedy: ['Send Idempotency-Key with a fresh random value, and the same value on every retry of that request.'],
  },
  'idempotency-key-malformed': {
    title: 'The Idempotency-Key is malformed.',
    happened: 'The key could not be read, so nothing was done.',
    why: ['It is empty, longer than 255 characters, or has characters that are not printable ASCII.'],
    remedy: ['Send a UUID. A key with a space, comma, quote or backslash stands in quotes.'],
  },
  unauthenticated: {
    title: 'Authentication is required.',
    source: 'RFC 6750 §3',
    happened: 'The request carried no access token.',
    why: ['The Authorization header is missing.'],
    remedy: ['Send Authorization: Bearer with an access token. The challenge says where its metadata is.'],
  },
  'invalid-token': {
    title: 'The access token is not valid.',
    source: 'RFC 6750 §3.1',
    happened: 'The token was refused. code says for which reason.',
    why: [
      'token_expired, token_not_yet_valid: outside of its time, or a clock is wrong.',
      'audience_mismatch, issuer_untrusted, tenant_mismatch: it was issued for something else.',
      'token_revoked: the person or an operator ended it.',
      'signature_invalid, unknown_signing_key, token_malformed, token_type_invalid: it is not one of ours.',
      'proof_required, proof_invalid, proof_nonce_required: it is bound to a key that was not proven (RFC 9449).',
      'certificate_required, certificate_mismatch, certificate_expired: it is bound to a client certificate (RFC 8705).',
    ],
    remedy: [
      'Get a new token by refreshing, once. If the new one is refused for the same reason, stop and look at code.',
    ],
  },
  'insufficient-scope': {
    title: 'The access token does not reach far enough.',
    status: '401 (403 by choice of the API)',
    source: 'RFC 6750 §3.1',
    happened: 'The token is good, but lacks a scope. required_scope names it.',
    why: ['The person allowed less, or the client asked for less.'],
    remedy: ['Do not refresh: a refresh cannot widen. Start a new authorization that asks for the missing scope.'],
  },
  'insufficient-user-authentication': {
    title: 'A fresh, strong sign-in is needed.',
    source: 'RFC 9470 §3',
    happened: 'The token is good, but its person signed in too long ago, or too weakly, for what was to be done.',
    why: ['The operation cannot be undone, or hands on power. max_age and acr_values say what it asks for.'],
    remedy: [
      'Send the person through the authorization endpoint with these acr_values and max_age, and use the new token.',
      'Who has no second factor yet adds one on the account page first.',
    ],
  },
  forbidden: {
    title: 'You may not do this here.',
    happened: 'The token is good and reaches far enough, but not for this object.',
    why: ['The object belongs to somebody else, or a rule of the API forbids the operation.'],
    remedy: ['Another token of the same person will not help. Ask the owner of the object.'],
  },
  'not-found': {
    title: 'There is nothing at this address.',
    happened: 'The resource does not exist, or its existence is not for you to know.',
    why: ['It was deleted, never existed, or belongs to another tenant.'],
    remedy: ['Check the identifier. Take addresses from Location and from lists.'],
  },
  'method-not-allowed': {
    title: 'This method does not work here.',
    happened: 'The address exists, but not with this method.',
    why: ['Allow lists the methods that work.'],
    remedy: ['Use one of them.'],
  },
  'not-acceptable': {
    title: 'No representation fits your Accept header.',
    happened: 'The API has nothing of the types that were asked for.',
    why: ['Accept excludes what this operation answers with; the answer names it.'],
    remedy: ['Send that type as Accept, or leave the header out.'],
  },
  conflict: {
    title: 'The resource is in a state that does not allow this.',
    happened: 'The request is valid, but not now.',
    why: ['Something else changed the resource, or a test of a JSON Patch failed.'],
    remedy: ['Read the resource again and decide anew.'],
  },
  'idempotency-in-progress': {
    title: 'A request with this key is still running.',
    happened: 'The first request with this Idempotency-Key has not finished.',
    why: ['A retry came before the answer to the first.'],
    remedy: ['Wait for Retry-After, then repeat with the same key: you get the answer of the first.'],
  },
  'version-sunset': {
    title: 'This version of the API is gone.',
    source: 'RFC 8594, RFC 9745',
    happened: 'The version was announced as deprecated and its window has ended.',
    why: ['Deprecation and Sunset announced it at least 180 days before.'],
    remedy: ['Move to the version that the successor-version link names.'],
  },
  'precondition-failed': {
    title: 'The resource is not the one you read.',
    source: 'RFC 9110 §13',
    happened: 'If-Match or If-None-Match did not hold, so nothing was changed.',
    why: ['Somebody changed the resource after you read it.'],
    remedy: ['Read it again, apply your change to what is there now, and send the new ETag.'],
  },
  'payload-too-large': {
    title: 'The body is too large.',
    happened: 'The body exceeds the limit, and was not read.',
    why: ['A resource API takes 1 MiB, an OAuth endpoint 64 KiB, unless the operators chose otherwise.'],
    remedy: ['Send less at a time.'],
  },
  'uri-too-long': {
    title: 'The address is too long.',
    happened: 'The address with its query exceeds the limit, and was not read.',
    why: ['An address may have 8 KiB, unless the operators chose otherwise.'],
    remedy: ['Filter by less at a time, or take the next page by its cursor.'],
  },
  'unsupported-media-type': {
    title: 'The content type is not taken here.',
    happened: 'The body was not read, because its type is not one the operation knows.',
    why: ['Content-Type is missing or wrong. Accept-Post and Accept-Patch list what works.'],
    remedy: ['Send application/json, or application/merge-patch+json with PATCH.'],
  },
  'idempotency-key-reused': {
    title: 'This key was used for another request.',
    happened: 'The Idempotency-Key is known, with a different body or address.',
    why: ['Two operations share one key.'],
    remedy: ['Make a fresh key for every operation; repeat it for retries of that operation only.'],
  },
  'precondition-required': {
    title: 'Say which version you are changing.',
    source: 'RFC 6585 §3',
    happened: 'The change was sent without If-Match.',
    why: ['Without it, two people could overwrite each other unseen.'],
    remedy: ['Read the resource, then send its ETag in If-Match.'],
  },
  'quota-exceeded': {
    title: 'Too many requests.',
    source: 'RFC 6585 §4',
    happened: 'The limit for this client, person or address is used up for now.',
    why: ['RateLimit-Policy says how many requests fit into which time.'],
    remedy: ['Wait for Retry-After, then go on, with growing and random pauses. RateLimit tells what is left.'],
  },
  'headers-too-large': {
    title: 'The headers are too large.',
    source: 'RFC 6585 §5',
    happened: 'The request headers exceed the limit.',
    why: ['Headers may be 16 KiB together. Cookies of other services are a common cause.'],
    remedy: ['Send fewer or shorter headers.'],
  },
  internal: {
    title: 'The API failed while answering.',
    happened: 'Something unexpected happened. It was noted under the id in instance.',
    why: ['A fault of the API.'],
    remedy: ['Repeat safe or idempotent requests once. If it stays, send instance to the operators.'],
  },
  'bad-gateway': {
    title: 'The API behind the gateway cannot be reached.',
    happened: 'The gateway passed the request on and got no answer that it could read.',
    why: ['The API is away, closed the connection, or answered with what is no HTTP.'],
    remedy: ['Repeat idempotent requests after a while. With an Idempotency-Key, others too.'],
  },
  'temporary-reduced-capacity': {
    title: 'The API is overloaded.',
    happened: 'The request was turned away before any work was done.',
    why: ['Too much is asked of the API at this moment.'],
    remedy: ['Wait for Retry-After, then repeat.'],
  },
  'authorization-state-unavailable': {
    title: 'The token could not be checked.',
    happened: 'The API cannot tell at the moment whether the token is good. It is not the fault of the token.',
    why: ['The signing keys, the revocation feed or introspection are away, or their news is too old to rely on.'],
    remedy: ['Keep the token. Wait for Retry-After, then repeat the request.'],
  },
  'upstream-timeout': {
    title: 'The API behind the gateway did not answer.',
    happened: 'The gateway passed the request on and got no answer in time.',
    why: ['The API is slow or away. The work may or may not have been done.'],
    remedy: ['Repeat idempotent requests. With an Idempotency-Key, others too.'],
  },
}
