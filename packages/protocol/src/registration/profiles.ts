/**
 * The security profiles of clients: FAPI 2.0 Security Profile (final, §5.3.2, §5.4.1), FAPI 2.0 Message Signing (final,
 * §5.3 to §5.5) and the client's part of FAPI-CIBA. Naming a profile fills in every field that it demands; a field that
 * contradicts it is refused with the reason. Demands that no field expresses are in `profileOf`.
 */
import { cibaGrant } from '../grants/grant-types.ts'
import { isLoopbackUri } from '../oauth/redirect-uri.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { Client } from './client.ts'
import type { FieldProblem } from './field-types.ts'
import type { TenantProfile } from './tenant-profile.ts'

export type ProfileName = NonNullable<ClientMetadata['profile']>

/** FAPI 2.0 §5.4.1: `EdDSA` and its fully specified name (RFC 9864) count as one. */
export const profileAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

type Given = Partial<ClientMetadata>

interface Demand {
  readonly field: keyof ClientMetadata
  /** The value where the client has none; left out, nothing is filled in. */
  readonly fill?: (it: Given) => Given
  readonly broken: (it: ClientMetadata) => boolean
  readonly problem: string
}

const withCode = (it: Given): boolean => (it.grant_types ?? ['authorization_code']).includes('authorization_code')
/** FAPI 2.0 §5.3.2.1: the methods by which a client may authenticate. */
export const profileMethods: readonly string[] = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']
const algFields = [
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
  'request_object_signing_alg',
] as const
/** Fields about our signatures, whose default is RS256. */
const signedByUs = new Set<string>([
  'id_token_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
])

/** Demands of every profile: authentication, binding of tokens, and algorithms. */
const general: readonly Demand[] = [
  {
    field: 'token_endpoint_auth_method',
    fill: () => ({ token_endpoint_auth_method: 'private_key_jwt' }),
    broken: (it) => !profileMethods.includes(it.token_endpoint_auth_method),
    problem: `must be one of ${profileMethods.join(', ')} (FAPI 2.0 §5.3.2.1: a client proves itself by a key)`,
  },
  {
    field: 'dpop_bound_access_tokens',
    fill: (it) => (it.tls_client_certificate_bound_access_tokens === true ? {} : { dpop_bound_access_tokens: true }),
    broken: (it) => it.dpop_bound_access_tokens !== true && it.tls_client_certificate_bound_access_tokens !== true,
    problem:
      'must be true, or tls_client_certificate_bound_access_tokens must (FAPI 2.0 §5.3.2.1: every access token is bound)',
  },
  ...algFields.map((field): Demand => ({
    field,
    ...(signedByUs.has(field) ? { fill: () => ({ [field]: 'ES256' }) } : {}),
    broken: (it) => it[field] !== undefined && !profileAlgs.includes(it[field]),
    problem: `must be one of ${profileAlgs.join(', ')} (FAPI 2.0 §5.4.1)`,
  })),
]

const codeFlow: readonly Demand[] = [
  {
    field: 'require_pushed_authorization_requests',
    fill: (it) => (withCode(it) ? { require_pushed_authorization_requests: true } : {}),
    broken: (it) => withCode(it) && it.require_pushed_authorization_requests !== true,
    problem: 'must be true (FAPI 2.0 §5.3.2.2: requests are pushed, and others are refused)',
  },
  {
    field: 'pkce',
    broken: (it) => it.pkce === 'public_clients',
    problem: 'must be always (FAPI 2.0 §5.3.2.2: every request has a code_challenge)',
  },
  {
    field: 'redirect_uris',
    broken: (it) => it.redirect_uris.some((uri) => /^http:/i.test(uri) && !isLoopbackUri(uri)),
    problem: 'must not use http (FAPI 2.0 §5.3.2.2: no answer travels in the clear)',
  },
]

const signedMessages: readonly Demand[] = [
  {
    field: 'require_signed_request_object',
    fill: (it) => (withCode(it) ? { require_signed_request_object: true } : {}),
    broken: (it) => withCode(it) && it.require_signed_request_object !== true,
    problem: 'must be true (FAPI 2.0 Message Signing §5.3: requests are signed)',
  },
]

const signedBackchannel: readonly Demand[] = [
  {
    field: 'backchannel_authentication_request_signing_alg',
    broken: (it) =>
      it.grant_types.includes(cibaGrant) &&
      !profileAlgs.includes(it.backchannel_authentication_request_signing_alg ?? ''),
    problem: `must be one of ${profileAlgs.join(', ')} (FAPI-CIBA §5.2.2: requests by the back channel are signed)`,
  },
]

const profiles: Readonly<Record<ProfileName, readonly Demand[]>> = {
  'fapi2-security': [...general, ...codeFlow],
  'fapi2-message-signing': [...general, ...codeFlow, ...signedMessages],
  'fapi-ciba': [...general, ...signedBackchannel],
}

/** The metadata of the client, with missing fields filled in by its profile and its tenant's. */
export function filledByProfile(given: Given, ofTenant?: TenantProfile): Given {
  return demandsOn(given, ofTenant).reduce((it, { fill }) => ({ ...fill?.(it), ...it }), given)
}

export const profileProblems = (it: ClientMetadata, ofTenant?: TenantProfile): readonly FieldProblem[] =>
  demandsOn(it, ofTenant)
    .filter(({ broken }) => broken(it))
    .map(({ field, problem, by }) => ({ field, problem: `${problem}, as the profile ${by} demands` }))

/** The demands of both profiles, common ones once, with the client's own profile first. */
function demandsOn({ profile }: Given, ofTenant?: TenantProfile): readonly (Demand & { readonly by: string })[] {
  const own = profile === undefined ? [] : profiles[profile]
  const others = ofTenant === undefined ? [] : profiles[ofTenant].filter((it) => !own.includes(it))
  return [
    ...own.map((it) => ({ ...it, by: `${profile}` })),
    ...others.map((it) => ({ ...it, by: `${ofTenant} of the tenant` })),
  ]
}

/** The client under its tenant's profile: missing fields are filled in, and a contradiction is recorded as `unfit`. */
export function underTenantProfile(client: Client, { profile }: { readonly profile?: TenantProfile }): Client {
  if (profile === undefined) return client
  // Fields with a default value were set explicitly, or filled in by the registration.
  const metadata = filledByProfile(client.metadata, profile) as ClientMetadata
  const [unfit] = profileProblems(metadata, profile)
  return { ...client, metadata, tenantProfile: profile, ...(unfit === undefined ? {} : { unfit }) }
}

/** The demands of a profile that no field of the client expresses. */
export interface ProfileRules {
  /** FAPI 2.0 §5.3.2.1: the audience of an assertion must be the issuer alone, as a string. */
  readonly issuerAsText: boolean
  /** FAPI 2.0 §5.3.2.1: whether another issuer's assertion may authenticate the client, instead of its own key. */
  readonly provenByOthers: boolean
  /** FAPI 2.0 §5.4.1; null: any that a key allows. */
  readonly algs: readonly string[] | null
  /** FAPI 2.0 §5.3.2.1: whether refresh tokens are rotated; a client that authenticates by its key does not need it. */
  readonly rotates: boolean
  /**
   * FAPI 2.0 §5.3.2.2: every request must have a code_challenge, even where the operator requires it only of public
   * clients.
   */
  readonly pkce: boolean
  /** FAPI 2.0 §5.3.2.2: a pushed request must have a redirect_uri. */
  readonly redirectUriSent: boolean
  /** FAPI 2.0 Message Signing §5.4: answers must be signed (JARM). */
  readonly signedAnswers: boolean
  /** FAPI 2.0 §5.3.2.1: the maximum lifetime of a code in seconds. */
  readonly codeTtl: number
  /**
   * FAPI 2.0 §5.3.2.1: by how many seconds its clock may be ahead of ours, whatever the operator allows: at least, at
   * most.
   */
  readonly clockAhead: readonly [least: number, most: number]
  /** FAPI-CIBA §5.2.2: every CIBA request must have a binding message that tells it from others. */
  readonly bindingMessage: boolean
}

const none: ProfileRules = {
  issuerAsText: false,
  provenByOthers: true,
  algs: null,
  rotates: true,
  pkce: false,
  redirectUriSent: false,
  signedAnswers: false,
  codeTtl: Number.POSITIVE_INFINITY,
  clockAhead: [0, Number.POSITIVE_INFINITY],
  bindingMessage: false,
}

const strong: ProfileRules = {
  issuerAsText: true,
  provenByOthers: false,
  algs: profileAlgs,
  rotates: false,
  pkce: true,
  redirectUriSent: true,
  signedAnswers: false,
  codeTtl: 60,
  clockAhead: [10, 60],
  bindingMessage: false,
}

/** The client with its own and its tenant's profile. */
type Profiled = Pick<Client, 'tenantProfile'> & { readonly metadata: Pick<ClientMetadata, 'profile'> }

export function profileOf({ metadata: { profile }, tenantProfile }: Profiled): ProfileRules {
  if (tenantProfile === undefined) return rulesOf(profile)
  return profile === undefined ? rulesOf(tenantProfile) : strictest(rulesOf(profile), rulesOf(tenantProfile))
}

function rulesOf(profile: ProfileName | undefined): ProfileRules {
  if (profile === undefined) return none
  if (profile === 'fapi-ciba') return { ...strong, issuerAsText: false, pkce: false, bindingMessage: true }
  return profile === 'fapi2-message-signing' ? { ...strong, signedAnswers: true } : strong
}

const strictest = (a: ProfileRules, b: ProfileRules): ProfileRules => ({
  issuerAsText: a.issuerAsText || b.issuerAsText,
  provenByOthers: a.provenByOthers && b.provenByOthers,
  algs: a.algs ?? b.algs,
  rotates: a.rotates && b.rotates,
  pkce: a.pkce || b.pkce,
  redirectUriSent: a.redirectUriSent || b.redirectUriSent,
  signedAnswers: a.signedAnswers || b.signedAnswers,
  codeTtl: Math.min(a.codeTtl, b.codeTtl),
  clockAhead: [Math.max(a.clockAhead[0], b.clockAhead[0]), Math.min(a.clockAhead[1], b.clockAhead[1])],
  bindingMessage: a.bindingMessage || b.bindingMessage,
})

/** Whether a client may sign with an algorithm: any that its key allows, unless its profile excludes it. */
export const maySignWith = (client: Profiled, alg: unknown): boolean =>
  profileOf(client).algs?.includes(String(alg)) ?? true

/** By how many seconds the times in JWTs of the client may lie ahead of ours, given the operator's leeway. */
export function leewayAhead(client: Profiled, leeway: number): number {
  const [least, most] = profileOf(client).clockAhead
  return Math.min(Math.max(leeway, least), most)
}
