/**
 * What the OpenID Foundation's conformance suite is given for its FAPI 2.0 plans: `fapi-objects.json` to declare here (`grantor apply`), and for
 * each way of client authentication and of binding tokens a configuration to run there (`run-plan.ts`), with keys and
 * certificates made for this run (by `openssl`). The resource is the demo's Orders API: start the server with `--demo`.
 * The configurations of flows with a person serve `authorization_request_type=rar` too (RFC 9396).
 *
 *     node interop/suite/fapi.ts FOLDER ISSUER SUITE [ORDERS [ORDERS_WITH_CERTIFICATES]]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browsing, complete as returned, consent, login, person, type Task } from './certification.ts'
import { claims, type Person } from './deployment.ts'
import { makeClient, planFor, type SuiteClient } from './suite-client.ts'

const profiles = ['fapi2-security', 'fapi2-message-signing'] as const
const authentications = ['private_key_jwt', 'mtls'] as const
const bindings = ['dpop', 'mtls'] as const

const scope = 'openid offline_access profile email address phone orders:read'
const asked = {
  openid_connect: 'openid offline_access orders:read',
  plain_oauth: 'offline_access orders:read',
  client_credentials: 'orders:read',
}

/** What is asked for where the plan's `authorization_request_type` is `rar`. */
const detail = { type: 'order_report', quarter: 3 }

const detailType = (resource: string) => ({
  type: detail.type,
  resources: [resource],
  schema: {
    type: 'object',
    required: ['quarter'],
    properties: { quarter: { type: 'integer', minimum: 1, maximum: 4 } },
  },
  description: 'See the orders of quarter {quarter}',
})

function declared({ id, publicKeys }: SuiteClient, { profile, authentication, binding }: Variant, callback: string) {
  return {
    client_id: id,
    client_name: `The suite's ${id} client`,
    profile,
    // The second client of each pair is called back with a query of its own.
    redirect_uris: [callback, `${callback}?dummy1=lorem&dummy2=ipsum`],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: authentication === 'mtls' ? 'self_signed_tls_client_auth' : authentication,
    id_token_signed_response_alg: 'ES256',
    jwks: { keys: publicKeys },
    scope,
    authorization_details_types: [detail.type],
    [binding === 'dpop' ? 'dpop_bound_access_tokens' : 'tls_client_certificate_bound_access_tokens']: true,
  }
}

interface Variant {
  readonly profile: (typeof profiles)[number]
  readonly authentication: (typeof authentications)[number]
  readonly binding: (typeof bindings)[number]
}

const variants: readonly Variant[] = profiles.flatMap((profile) =>
  authentications.flatMap((authentication) => bindings.map((binding) => ({ profile, authentication, binding }))),
)

/** Consents to nothing, so that there is a question to deny. */
const denying: Person = { username: 'willow', password: 'battery-horse-correct' }

const denied: Task = {
  task: 'Deny',
  match: '*/interact/*',
  commands: [['click', 'id', 'deny']],
}

const errorPage: Task = {
  task: 'Expect our error page',
  match: '*/authorize*',
  optional: true,
  commands: [['wait', 'id', 'error', 10, '.+', 'update-image-placeholder-optional']],
}

/** Modules whose second visit, or only one, ends on our error page; the first goes all the way. */
const refused = [
  'par-attempt-reuse-request_uri',
  'par-attempt-to-use-expired-request_uri',
  'par-attempt-to-use-request_uri-for-different-client',
  'ensure-unsigned-authorization-request-without-using-par-fails',
  'ensure-registered-redirect-uri',
]

const looked: Task = {
  task: 'Only look at the sign-in page',
  match: '*/interact/*',
  commands: [['wait', 'id', 'sign-in', 10]],
}

const [folder, issuer, suite, orders = 'https://localhost:8444', certified = 'https://localhost:8447'] =
  process.argv.slice(2)
if (folder === undefined || issuer === undefined || suite === undefined) {
  throw new Error('usage: node interop/suite/fapi.ts FOLDER ISSUER SUITE [ORDERS [ORDERS_WITH_CERTIFICATES]]')
}
const write = (name: string, content: object) =>
  writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
/** Our own addresses hold this one too, as a parameter. */
const complete: Task = { ...returned, match: `${suite}/test/*` }
const browsing = (...tasks: readonly Task[]): Browsing => ({ browser: [{ match: `${issuer}/authorize*`, tasks }] })

const module = (name: string): string => `fapi2-security-profile-final-${name}`

const clients: object[] = []
for (const variant of variants) {
  const { profile, authentication, binding } = variant
  const name = `${profile}-${authentication}-${binding}`
  const pair = [makeClient(folder, `${name}-1`), makeClient(folder, `${name}-2`)] as const
  clients.push(...pair.map((one) => declared(one, variant, `${suite}/test/a/${name}/callback`)))
  for (const [flow, scope] of Object.entries(asked)) {
    write(`${name}-${flow}.json`, {
      ...planFor({ name, issuer }, pair, { scope }),
      resource: {
        resourceUrl: `${binding === 'mtls' ? certified : orders}/v1/orders`,
        ...(flow === 'client_credentials' ? {} : { richAuthorizationRequest: [detail] }),
      },
      ...browsing(login(), consent, complete),
      override: {
        ...Object.fromEntries(
          refused.map((name) => [module(name), browsing(errorPage, login(), consent, { ...complete, optional: true })]),
        ),
        [module('user-rejects-authentication')]: browsing(login([], denying), denied, complete),
        [module('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds')]: {
          browser: [
            { match: `${issuer}/authorize*`, 'match-limit': 1, tasks: [looked] },
            ...browsing(login(), consent, complete).browser,
          ],
        },
      },
    })
  }
}
write('fapi-objects.json', {
  authorization_details_types: [detailType(orders)],
  users: [{ ...person, ...claims }, denying],
  clients,
})
