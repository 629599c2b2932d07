/** Who must send a code challenge: every client unless the deployment or the client itself was set otherwise, public ones always. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Client, declared, openDeployment } from '../suite/deployment.ts'
import { configure } from '../suite/relying-party.ts'

const client = (id: string, by: Client['by'] = 'client_secret_basic'): Client => ({
  id,
  secret: `${id}-secret-of-32-or-more-characters`,
  by,
})
const [silent, strict, lenient] = [client('silent'), client('strict'), client('lenient')]
const open = client('open', 'none')

const clients = [
  declared(silent, { pkce: undefined }),
  declared(strict, { pkce: 'always' }),
  declared(lenient, { pkce: 'public_clients' }),
  declared(open, { pkce: 'public_clients' }),
]

const deployments = [
  { set: 'nothing', env: {}, free: [lenient], bound: [silent, strict, open] },
  {
    set: 'GRANTOR_PKCE=public_clients',
    env: { GRANTOR_PKCE: 'public_clients' },
    free: [lenient, silent],
    bound: [strict, open],
  },
]

for (const { set, env, free, bound } of deployments) {
  const names = (of: readonly Client[]) => of.map(({ id }) => id).join(', ')
  test(`RFC 9700 §2.1.1: with ${set} set, ${names(free)} may leave the challenge out; ${names(bound)} may not`, async () => {
    await using deployment = await openDeployment({ clients, env, people: 1 })
    const party = await configure({ deployment })
    for (const one of free) {
      const { code: spent } = await party.at(one).flow()
      assert.match(spent, /^gc_/)
      // RFC 9700 §4.8.2: whoever stripped the challenge off the request must not get away with it.
      const request = party.at(one).request()
      const code = party.at(one).code(await party.visit(request), request)
      const stripped = await party.at(one).redeem(code, { code_verifier: randomBytes(32).toString('base64url') })
      assert.equal(stripped.body['error'], 'invalid_grant')
    }
    for (const one of bound) {
      const request = party.at(one).request()
      assert.equal(party.refused(await party.visit(request), request), 'invalid_request')
    }
  })
}
