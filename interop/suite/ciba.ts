/**
 * What the OpenID Foundation's conformance suite is given for its FAPI-CIBA plan: `ciba-objects.json` to declare here
 * (`grantor apply`), and for each delivery mode and way of client authentication a configuration to run there
 * (`run-plan.ts`), with keys and certificates made for this run. The resource is the demo's Orders API where it asks for
 * certificates: start the server with `--demo`. Then it goes on as the person who is asked: the suite calls APPROVALS
 * when it wants a request allowed or denied, and that is done on the account page, as by anybody.
 *
 *     node interop/suite/ciba.ts FOLDER ISSUER SUITE APPROVALS [ORDERS_WITH_CERTIFICATES]
 *
 * APPROVALS is a port on loopback. Node must trust the server: NODE_EXTRA_CA_CERTS. The server must be able to reach the
 * suite (GRANTOR_OUTBOUND_ALLOW, GRANTOR_OUTBOUND_CA), shows a certificate with an RSA key (GRANTOR_TLS_CERT: FAPI R/W §8.5
 * leaves no suite of TLS 1.2 for others), takes its token endpoint for an audience (GRANTOR_ASSERTION_AUDIENCE=endpoints)
 * and counts no hints (GRANTOR_LIMIT_BACKCHANNEL_HINT=off); GRANTOR_LIFETIME_BACKCHANNEL_REQUEST=45s keeps what modules
 * leave unanswered from filling the person's list.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { ScriptedPerson } from '../person.ts'
import { claims, type Person } from './deployment.ts'
import { makeClient, planFor, type SuiteClient } from './suite-client.ts'

const modes = ['poll', 'ping'] as const
const authentications = ['private_key_jwt', 'mtls'] as const

interface Variant {
  readonly mode: (typeof modes)[number]
  readonly authentication: (typeof authentications)[number]
}

const scope = 'openid offline_access orders:read'

const declared = ({ id, publicKeys }: SuiteClient, { mode, authentication }: Variant, notified: string) => ({
  client_id: id,
  client_name: `The suite's ${id} client`,
  profile: 'fapi-ciba',
  grant_types: ['urn:openid:params:grant-type:ciba', 'refresh_token'],
  response_types: [],
  token_endpoint_auth_method: authentication === 'mtls' ? 'self_signed_tls_client_auth' : authentication,
  tls_client_certificate_bound_access_tokens: true,
  backchannel_token_delivery_mode: mode,
  ...(mode === 'ping' ? { backchannel_client_notification_endpoint: notified } : {}),
  backchannel_authentication_request_signing_alg: 'PS256',
  id_token_signed_response_alg: 'ES256',
  jwks: { keys: publicKeys },
  scope,
})

const [folder, issuer, suite, approvals, certified = 'https://localhost:8447'] = process.argv.slice(2)
if (folder === undefined || issuer === undefined || suite === undefined || approvals === undefined) {
  throw new Error('usage: node interop/suite/ciba.ts FOLDER ISSUER SUITE APPROVALS [ORDERS_WITH_CERTIFICATES]')
}
const write = (name: string, content: object) =>
  writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })

const clients: object[] = []
const people = new Map<string, Person>()
for (const variant of modes.flatMap((mode) => authentications.map((authentication) => ({ mode, authentication })))) {
  const name = `ciba-${variant.mode}-${variant.authentication}`
  const at = `${suite}/test/a/${name}`
  const pair = [makeClient(folder, `${name}-1`), makeClient(folder, `${name}-2`)] as const
  clients.push(...pair.map((one) => declared(one, variant, `${at}/ciba-notification-endpoint`)))
  // Each plan asks somebody of its own, so that they can be run side by side.
  people.set(name, { username: name, password: 'correct-horse-battery' })
  const asked = { scope, hint_type: 'login_hint', hint_value: name, acr_value: 'urn:grantor:acr:1fa' }
  write(`${name}.json`, {
    ...planFor({ name, issuer }, pair, asked),
    resource: { resourceUrl: `${certified}/v1/orders` },
    automated_ciba_approval_url: `http://127.0.0.1:${approvals}/${name}/{action}`,
  })
}
write('ciba-objects.json', { users: [...people.values()].map((it) => ({ ...claims, ...it })), clients })

/** The suite waits for the answer of its call before it listens. */
const afterTheCall = 500

createServer((request, response) => {
  const [, name = '', action] = (request.url ?? '').split('/')
  const who = people.get(name)
  if (who === undefined || (action !== 'allow' && action !== 'deny')) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  setTimeout(() => {
    const answered = new ScriptedPerson(fetch, who).answerRequest(new URL(issuer), action, 'newest')
    answered.then(
      (outcome) => console.log(`${name}: ${outcome}`),
      (cause: unknown) => console.error(`${name}: not answered:`, cause),
    )
  }, afterTheCall)
}).listen(Number(approvals), '127.0.0.1')
