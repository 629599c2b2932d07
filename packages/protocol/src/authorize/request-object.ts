/** Request objects: RFC 9101 §4, §6, §10; OIDC Core §6. An authorization request whose parameters the client has signed. */
import { leewayAhead, maySignWith } from '../registration/profiles.ts'
import { type ParsedJwt, readJwsHeader } from '../jose/jwt.ts'
import { fittingKeys, signedByOne, type VerificationKey } from '../jose/verification-key.ts'
import { type Form, formOf, isFormValue } from '../oauth/form.ts'
import type { Client } from '../registration/client.ts'
import type { Instant, Json, JsonObject } from '../types.ts'

/** RFC 9126 §2.2: the form of the references that a push is answered with. Whatever else a request_uri is, it is an address. */
export const pushedPrefix = 'urn:ietf:params:oauth:request_uri:'

export interface RequestObjectInput {
  readonly object: ParsedJwt
  readonly client: Client
  /** Of the client. */
  readonly keys: readonly VerificationKey[]
  readonly issuer: string
  readonly now: Instant
  /** Seconds. */
  readonly leeway: number
  /** Whether it must say from when to when it is good, an hour at most (FAPI 2.0 Message Signing §5.3.1). */
  readonly timed: boolean
}

type Check = readonly [problem: string, fails: (input: RequestObjectInput) => boolean]

/** In the order in which they speak; each as the end of a sentence. */
const checks: readonly Check[] = [
  // RFC 9101 §10.8: a token of another kind is none, and an assertion (§10.8.1) neither.
  ['has a typ that is not oauth-authz-req+jwt', ({ object: { typ } }) => !types.has(typ)],
  ['must not say sub, as an assertion does', ({ object, client }) => object.claims['sub'] === client.id],
  ['must say the client_id as its iss', ({ object, client }) => object.claims['iss'] !== client.id],
  ['must say this issuer as its aud', (input) => !isMeantFor(input.object.claims['aud'], input.issuer)],
  ['says another client_id', ({ object: { claims }, client }) => (claims['client_id'] ?? client.id) !== client.id],
  ['must not hold another request', ({ object: { claims } }) => nested.some((name) => Object.hasOwn(claims, name))],
  ['has expired, or is not yet good', (input) => !isTimely(input)],
  ['must say nbf and exp, and be good for an hour at most', (input) => input.timed && !isShortLived(input)],
  ['holds a parameter that is malformed', ({ object }) => parametersIn(object.claims) === null],
  ['is not signed in the way that the client has registered', (input) => fitting(input).length === 0],
  ['is not signed by the client', (input) => !signedByOne(input.object, fitting(input))],
]

/** Which check it fails first; null for one that counts. */
export const requestObjectProblem = (input: RequestObjectInput): string | null =>
  checks.find(([, fails]) => fails(input))?.[0] ?? null

/** RFC 9101 §4 names one; OIDC Core §6 had none. */
const types: ReadonlySet<string | undefined> = new Set(['oauth-authz-req+jwt', 'jwt', undefined])
const nested = ['request', 'request_uri']

const fitting = ({ object, client, keys }: RequestObjectInput): readonly VerificationKey[] =>
  maySignWith(client, object.alg) ? fittingKeys(object, client.metadata.request_object_signing_alg, keys) : []

/** RFC 9101 §5.2.1 lets several be meant; one must be us. */
const isMeantFor = (aud: Json | undefined, issuer: string): boolean =>
  Array.isArray(aud) ? aud.includes(issuer) : aud === issuer

function isTimely({ object: { claims }, client, now, leeway }: RequestObjectInput): boolean {
  const { exp, nbf, iat } = claims
  const seconds = now / 1000
  if (exp !== undefined && !(typeof exp === 'number' && exp + leeway > seconds)) return false
  const latest = seconds + leewayAhead(client, leeway)
  return [nbf, iat].every((from) => from === undefined || (typeof from === 'number' && from <= latest))
}

/** Seconds. */
const longestLife = 3600

/** One that has not expired then began no longer ago than that. */
function isShortLived({ object: { claims } }: RequestObjectInput): boolean {
  const { exp, nbf } = claims
  return typeof exp === 'number' && typeof nbf === 'number' && exp <= nbf + longestLife
}

/** What a JWT says of itself (RFC 7519 §4.1), and is no parameter. */
const ofTheJwt: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])
/** Those that may come several times outside are lists here. */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience'])
const mostParameters = 100

/** RFC 9101 §4: the parameters as JSON. Null where one cannot be what it would be outside. */
export function parametersIn(claims: JsonObject): Form | null {
  const pairs: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(claims)) {
    if (ofTheJwt.has(name) || value === null) continue
    const many = repeatable.has(name) && Array.isArray(value) ? value : [value]
    for (const one of many) {
      const text = typeof one === 'string' ? one : JSON.stringify(one)
      if (!isFormValue(text)) return null
      pairs.push([name, text])
    }
  }
  return pairs.length > mostParameters ? null : formOf(pairs)
}

/** The parameters that count: RFC 9101 §6.3 uses those inside and no others. */
export const signedForm = ({ claims }: ParsedJwt, { id }: Client): Form =>
  withParameters({ client_id: id }, parametersIn(claims) ?? formOf([]))

/**
 * Where and how a request is answered whose object is refused: what the object says of that counts, and nothing else of
 * it. An address outside goes before one inside; either is held against those that the client has registered.
 */
export function unprovenForm(form: Form, text: string): Form {
  const claims = readJwsHeader(text.split('.')[1] ?? '') ?? {}
  const wanted = ['state', 'response_mode', ...(form.get('redirect_uri') === undefined ? ['redirect_uri'] : [])]
  const given = Object.fromEntries(
    wanted.flatMap((name) => {
      const value = claims[name]
      return typeof value === 'string' && isFormValue(value) ? [[name, value] as const] : []
    }),
  )
  return withParameters(given, form)
}

/** A form in which some parameters are these. */
export const withParameters = (given: Readonly<Record<string, string>>, rest: Form): Form => ({
  get: (name) => (Object.hasOwn(given, name) ? given[name] : rest.get(name)),
  all: (name) => (Object.hasOwn(given, name) ? [given[name] ?? ''] : rest.all(name)),
})
