/**
 * What the OpenID Foundation's conformance suite is given for its plans of Shared Signals transmitters: `ssf-objects.json` to
 * declare here (`GRANTOR_SEED`, or `grantor apply`), and `ssf.json` to run there (`run-plan.ts`), for push and for poll alike.
 *
 *     node interop/suite/ssf.ts FOLDER ISSUER
 *     node interop/suite/run-plan.ts SUITE openid-ssf-transmitter-test-plan FOLDER/ssf.json ssf_delivery_mode=push \
 *       ssf_server_metadata=discovery ssf_auth_mode=dynamic ssf_profile=default server_metadata=discovery \
 *       client_registration=static_client client_auth_type=client_secret_basic
 *
 * The server must be able to reach the suite (GRANTOR_OUTBOUND_ALLOW, GRANTOR_OUTBOUND_CA). The module
 * openid-ssf-transmitter-stream-caep-interop waits a minute for its operator: add the subject of `ssf.json` to its stream
 * (/ssf/subjects/add, as its client), then `grantor user reset-password signals`.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const scope = 'ssf.read ssf.manage'
const email = 'signals@example.com'

const [folder, issuer] = process.argv.slice(2)
if (folder === undefined || issuer === undefined) throw new Error('node interop/suite/ssf.ts FOLDER ISSUER')
const secret = randomBytes(32).toString('base64url')
const write = (name: string, content: object): void =>
  writeFileSync(join(folder, name), JSON.stringify(content, null, 2), { mode: 0o600 })

write('ssf-objects.json', {
  users: [{ username: 'signals', password: randomBytes(16).toString('base64url'), email, email_verified: true }],
  clients: [
    {
      client_id: 'suite',
      client_name: 'The suite',
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
      scope,
    },
  ],
})

write('ssf.json', {
  alias: 'grantor',
  description: 'Shared signals',
  server: { discoveryUrl: `${issuer}/.well-known/openid-configuration` },
  client: { client_id: 'suite', client_secret: secret, scope },
  ssf: {
    transmitter: { issuer },
    stream: { audience: 'suite' },
    subjects: {
      valid: { format: 'email', email },
      invalid: { format: 'email', email: 'nobody@example.com' },
    },
  },
})
