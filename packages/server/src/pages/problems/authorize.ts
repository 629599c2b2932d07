/** Errors of the authorization response (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC 8707, 9101, 9396). */
import type { SourcedExplanation } from './text.ts'

export const authorizeProblems = {
  access_denied: {
    title: 'The person, or the service on their behalf, said no.',
    source: 'RFC 6749 §4.1.2.1, RFC 8628 §3.5',
    happened: 'The request was understood and refused. No code and no token was issued.',
    why: [
      'The person pressed Deny.',
      'A rule of the service does not let this person use this client.',
      'In the device flow: the person refused on the device page.',
    ],
    remedy: [
      'Treat it as an ordinary answer: tell the person that nothing was connected and offer to try again.',
      'Do not repeat the request by yourself; it would only ask the person again.',
    ],
  },
  unsupported_response_type: {
    title: 'The response type is not offered.',
    source: 'RFC 6749 §4.1.2.1',
    happened: 'response_type asked for something other than a code.',
    why: ['The implicit flow (token, id_token) and the hybrid flows are not offered: they put tokens into addresses.'],
    remedy: ['Use response_type=code with PKCE, in browsers and native apps too.'],
  },
  server_error: {
    title: 'The service failed while answering.',
    source: 'RFC 6749 §4.1.2.1',
    happened: 'Something unexpected happened on our side. Nothing was issued.',
    why: ['A fault of the service. Its operators find it in the log by the trace id.'],
    remedy: ['Try again once. If it stays, send the trace id to the operators of the service.'],
  },
  temporarily_unavailable: {
    title: 'The service cannot answer right now.',
    source: 'RFC 6749 §4.1.2.1',
    happened: 'A part the service depends on, such as its database, is away. Nothing was changed.',
    why: ['Maintenance, overload, or a fault that is being dealt with.'],
    remedy: ['Wait for as long as Retry-After says, then try again, with growing and random pauses.'],
  },
  login_required: {
    title: 'The person must sign in, and prompt=none forbids asking.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'There is no session that would do for this request.',
    why: [
      'Nobody is signed in in this browser, or the session ended.',
      'The session is older than max_age, or belongs to another person than id_token_hint names.',
      'The browser blocked our cookie because the request ran in a frame of another site.',
    ],
    remedy: ['Send the person through the authorization endpoint again without prompt=none, in the top window.'],
  },
  consent_required: {
    title: 'The person must agree, and prompt=none forbids asking.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'Some of what was asked for has not been allowed yet.',
    why: ['The client asks for a scope or resource that is new.', 'The person took an earlier agreement back.'],
    remedy: ['Repeat the request without prompt=none.', 'Ask only for scopes that you need now.'],
  },
  interaction_required: {
    title: 'The person must do something, and prompt=none forbids asking.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'The request cannot be answered without a page.',
    why: [
      'A further step of sign-in is due, such as a second factor.',
      'The terms of use of the service are new, and the person has not agreed to them yet.',
    ],
    remedy: ['Repeat the request without prompt=none.'],
  },
  account_selection_required: {
    title: 'The person must choose an account, and prompt=none forbids asking.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'Several accounts are signed in in this browser and nothing says which one is meant.',
    why: ['The request has neither id_token_hint nor login_hint.'],
    remedy: ['Send id_token_hint, or repeat the request without prompt=none.'],
  },
  unmet_authentication_requirements: {
    title: 'The person could not sign in as strongly as asked.',
    source: 'OpenID Connect Core Unmet Authentication Requirements 1.0',
    happened: 'An essential acr was asked for and could not be reached.',
    why: ['The person has no sign-in method of that strength.'],
    remedy: ['Ask for another acr, or ask the person to add a stronger sign-in method in their account.'],
  },
  invalid_request_uri: {
    title: 'The request_uri does not work.',
    source: 'OpenID Connect Core §3.1.2.6, RFC 9126 §4',
    happened: 'No request could be had by this reference.',
    why: [
      'A pushed request expired: it lives for a short time.',
      'It was already answered: it works once.',
      'Another client pushed it.',
      'An address of a request object is not among the request_uris that the client has registered, or nothing came from there.',
    ],
    remedy: ['Push the request again and send the person on at once.', 'Register the address in request_uris.'],
  },
  invalid_request_object: {
    title: 'The request object is not valid.',
    source: 'RFC 9101 §6.3',
    happened: 'The JWT in request, or behind request_uri, was refused.',
    why: [
      'Its signature, algorithm, issuer, audience or expiry is not right.',
      'It disagrees with the client_id beside it.',
    ],
    remedy: ['Sign it with a key of the registered key set, aud = our issuer, and a short exp.'],
  },
  request_not_supported: {
    title: 'Request objects are not taken here.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'The request carried a request parameter.',
    why: ['The service that was asked takes none; its metadata says so.'],
    remedy: ['Send plain parameters, or push them to the pushed authorization request endpoint.'],
  },
  request_uri_not_supported: {
    title: 'Requests by reference are not taken here.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'The request carried a request_uri that we did not hand out.',
    why: ['The service that was asked fetches none; its metadata says so.'],
    remedy: ['Push the request to the pushed authorization request endpoint and use the request_uri it returns.'],
  },
  registration_not_supported: {
    title: 'Registration inside a request is not taken here.',
    source: 'OpenID Connect Core §3.1.2.6',
    happened: 'The request carried a registration parameter.',
    why: ['Clients are registered before they ask.'],
    remedy: ['Register the client first: by the operators, at the registration endpoint, or by a metadata document.'],
  },
  invalid_authorization_details: {
    title: 'The authorization details are not valid.',
    source: 'RFC 9396 §5',
    happened: 'authorization_details named a type or a field that cannot be granted.',
    why: ['The type is unknown, or not allowed to this client.', 'A field is missing, or is not of the right form.'],
    remedy: ['Compare with the types that the metadata lists.'],
  },
} as const satisfies Readonly<Record<string, SourcedExplanation>>
