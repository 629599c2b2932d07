/**
 * The profiles of strong clients: FAPI 2.0 Security Profile (final, §5.3.2, §5.4.1), FAPI 2.0 Message Signing (final, §5.3
 * to §5.5) and the client's part of FAPI-CIBA. One word fills in every field that the profile demands; a field that says
 * otherwise is refused with the reason. What no field can say is asked of `profileOf` where it is decided.
 */
import { cibaGrant } from '../grants/grant-types.ts'
import { isLoopbackUri } from '../oauth/redirect-uri.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { Client } from './client.ts'
import type { FieldProblem } from './field-types.ts'
import type { TenantProfile } from './tenant-profile.ts'

export type ProfileName = NonNullable<ClientMetadata['profile']>

/** FAPI 2.0 §5.4.1: `EdDSA` and its fully specified name (RFC 9864) are one. */
export const profileAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

type Given = Partial<ClientMetadata>

interface Demand {
  readonly field: keyof ClientMetadata
  /** What it is where the client says nothing; left out, nothing is filled in. */
  readonly fill?: (it: Given) => Given
  readonly broken: (it: ClientMetadata) => boolean
  readonly problem: string
}

const withCode = (it: Given): boolean => (it.grant_types ?? ['authorization_code']).includes('authorization_code')
/** FAPI 2.0 §5.3.2.1: by which a client proves itself. */
export const profileMethods: readonly string[] = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']
const algFields = [
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
  'request_object_signing_alg',
] as const
/** Ours whose usual value is RS256. */
const signedByUs = new Set<string>([
  'id_token_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
])

/** Of every profile: who the client is, what its tokens are bound to, and what is signed with. */
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

/** What a client said, and what its profile and its tenant's say where it did not. */
export function filledByProfile(given: Given, ofTenant?: TenantProfile): Given {
  return demandsOn(given, ofTenant).reduce((it, { fill }) => ({ ...fill?.(it), ...it }), given)
}

export const profileProblems = (it: ClientMetadata, ofTenant?: TenantProfile): readonly FieldProblem[] =>
  demandsOn(it, ofTenant)
    .filter(({ broken }) => broken(it))
    .map(({ field, problem, by }) => ({ field, problem: `${problem}, as the profile ${by} demands` }))

/** Of both profiles, and what both ask for once: its own first. */
function demandsOn({ profile }: Given, ofTenant?: TenantProfile): readonly (Demand & { readonly by: string })[] {
  const own = profile === undefined ? [] : profiles[profile]
  const others = ofTenant === undefined ? [] : profiles[ofTenant].filter((it) => !own.includes(it))
  return [
    ...own.map((it) => ({ ...it, by: `${profile}` })),
    ...others.map((it) => ({ ...it, by: `${ofTenant} of the tenant` })),
  ]
}

/** The client as its tenant's profile makes it: what it left open is filled in, and what contradicts it is told. */
export function underTenantProfile(client: Client, { profile }: { readonly profile?: TenantProfile }): Client {
  if (profile === undefined) return client
  // What has a value where nothing is said was said, or its registration would have been filled in.
  const metadata = filledByProfile(client.metadata, profile) as ClientMetadata
  const [unfit] = profileProblems(metadata, profile)
  return { ...client, metadata, tenantProfile: profile, ...(unfit === undefined ? {} : { unfit }) }
}

/** What a profile asks beyond fields of the client. */
export interface ProfileRules {
  /** FAPI 2.0 §5.3.2.1: only the issuer, as a text, is the audience of an assertion. */
  readonly issuerAsText: boolean
  /** FAPI 2.0 §5.3.2.1: it proves itself by its own key, and another issuer's word does not do it. */
  readonly provenByOthers: boolean
  /** FAPI 2.0 §5.4.1; null: any that a key allows. */
  readonly algs: readonly string[] | null
  /** FAPI 2.0 §5.3.2.1: the client is known by its key, so that a refresh token need not change with every use. */
  readonly rotates: boolean
  /** FAPI 2.0 §5.3.2.2: every request has a code_challenge, also where the operator asks public clients alone for one. */
  readonly pkce: boolean
  /** FAPI 2.0 §5.3.2.2: a pushed request names its redirect_uri. */
  readonly redirectUriSent: boolean
  /** FAPI 2.0 Message Signing §5.4: answers are signed (JARM). */
  readonly signedAnswers: boolean
  /** FAPI 2.0 §5.3.2.1: seconds that a code lives at most. */
  readonly codeTtl: number
  /** FAPI 2.0 §5.3.2.1: seconds that its clock may be ahead of ours, whatever the operator allows: at least, at most. */
  readonly clockAhead: readonly [least: number, most: number]
  /** FAPI-CIBA §5.2.2: every request by the back channel can be told from others by its message. */
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

/** Whose profile it is asked of: the client with its own and its tenant's. */
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

/** Whether a client may sign with an algorithm: any that its key allows, but for what its profile leaves. */
export const maySignWith = (client: Profiled, alg: unknown): boolean =>
  profileOf(client).algs?.includes(String(alg)) ?? true

/** Seconds that the times of what a client signs may lie ahead of ours, where the operator allows so many. */
export function leewayAhead(client: Profiled, leeway: number): number {
  const [least, most] = profileOf(client).clockAhead
  return Math.min(Math.max(leeway, least), most)
}
