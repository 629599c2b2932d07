/** Request objects: RFC 9101 §4, §6, §10; OIDC Core §6. An authorization request whose parameters the client has signed. */
import { leewayAhead, maySignWith } from '../registration/profiles.ts'
import { type ParsedJwt, readJwsHeader } from '../jose/jwt.ts'
import { fittingKeys, signedByOne, type VerificationKey } from '../jose/verification-key.ts'
import { type Form, formOf, isFormValue } from '../oauth/form.ts'
import type { Client } from '../registration/client.ts'
import type { Instant, Json, JsonObject } from '../types.ts'

/** RFC 9126 §2.2: the prefix of the references that answer a push. Any other request_uri is an address. */
export const pushedPrefix = 'urn:ietf:params:oauth:request_uri:'

export interface RequestObjectInput {
  readonly object: ParsedJwt
  readonly client: Client
  /** The keys of the client. */
  readonly keys: readonly VerificationKey[]
  readonly issuer: string
  readonly now: Instant
  /** Seconds. */
  readonly leeway: number
  /** Whether it must have both `nbf` and `exp`, an hour apart at most (FAPI 2.0 Message Signing §5.3.1). */
  readonly timed: boolean
}

type Check = readonly [problem: string, fails: (input: RequestObjectInput) => boolean]

/** In the order in which they are applied; each problem is the end of a sentence. */
const checks: readonly Check[] = [
  // RFC 9101 §10.8: a token of another type is not accepted, nor is an assertion (§10.8.1).
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

/** The first check that it fails; null where it is valid. */
export const requestObjectProblem = (input: RequestObjectInput): string | null =>
  checks.find(([, fails]) => fails(input))?.[0] ?? null

/** RFC 9101 §4 defines a type; OIDC Core §6 had none. */
const types: ReadonlySet<string | undefined> = new Set(['oauth-authz-req+jwt', 'jwt', undefined])
const nested = ['request', 'request_uri']

const fitting = ({ object, client, keys }: RequestObjectInput): readonly VerificationKey[] =>
  maySignWith(client, object.alg) ? fittingKeys(object, client.metadata.request_object_signing_alg, keys) : []

/** RFC 9101 §5.2.1 allows several audiences; one must be this server. */
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

/** An object that has not expired began at most that long ago. */
function isShortLived({ object: { claims } }: RequestObjectInput): boolean {
  const { exp, nbf } = claims
  return typeof exp === 'number' && typeof nbf === 'number' && exp <= nbf + longestLife
}

/** Claims of the JWT itself (RFC 7519 §4.1), which are not parameters. */
const ofTheJwt: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])
/** Parameters that may be repeated outside are lists here. */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience'])
const mostParameters = 100

/** RFC 9101 §4: the parameters as JSON. Null where one has no valid form as a parameter. */
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

/** The effective parameters: RFC 9101 §6.3 uses those inside the object and no others. */
export const signedForm = ({ claims }: ParsedJwt, { id }: Client): Form =>
  withParameters({ client_id: id }, parametersIn(claims) ?? formOf([]))

/**
 * For a refused object: the parameters that determine where and how the refusal is sent; nothing else in the object is
 * used. An address outside takes precedence over one inside; either must be registered by the client.
 */
export function unprovenForm(form: Form, text: string): Form {
  const claims = readJwsHeader(text.split('.')[1] ?? '') ?? {}
  const wanted = ['state', 'response_mode', ...(form.get('redirect_uri') === undefined ? ['redirect_uri'] : [])]
  const parameters = Object.fromEntries(
    wanted.flatMap((name) => {
      const value = claims[name]
      return typeof value === 'string' && isFormValue(value) ? [[name, value] as const] : []
    }),
  )
  return withParameters(parameters, form)
}

/** A form in which some parameters are replaced. */
export const withParameters = (given: Readonly<Record<string, string>>, rest: Form): Form => ({
  get: (name) => (Object.hasOwn(given, name) ? given[name] : rest.get(name)),
  all: (name) => (Object.hasOwn(given, name) ? [given[name] ?? ''] : rest.all(name)),
})
