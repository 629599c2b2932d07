/** A policy service is asked for what devices, the back channel and assertions bring, too; and nothing of theirs is used up. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority, Outbound } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import { ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { askByBackchannel, bank, cibaGrant, PersonAtAccount, pollRequest } from '../support/backchannel-client.ts'
import {
  databases,
  declaration,
  declare,
  machine,
  nowhere,
  openDeployment,
  root,
  unproven,
} from '../support/deployment.ts'
import { DeviceAtHome, poll, type Polled } from '../support/device-client.ts'
import { PersonAtBrowser } from '../support/person.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const forge = 'https://forge.example'
const key = signingKey('k1')
const [invoices, opaque] = declaration.resources
const { client_secret: _, ...keyless } = machine('job', 'invoices:read')

const objects: JsonObject = {
  ...declaration,
  resources: [{ ...invoices, policy_service: { url: 'https://pdp.example/access/v1/evaluation' } }, { ...opaque }],
  clients: [
    ...declaration.clients,
    { ...machine('tv', 'openid offline_access invoices:read'), grant_types: [deviceGrant, 'refresh_token'] },
    bank('bank'),
    { ...keyless, grant_types: [assertionGrant], token_endpoint_auth_method: 'federated_jwt' },
  ],
  users: [{ username: 'alice', password: 'correct-horse' }],
  trusted_issuers: [
    { issuer: forge, audience: 'https://as.example', rules: [{ claims: { sub: 'ci' }, client: 'job' }] },
  ],
}

/** Serves the keys of another issuer, and decides. */
class Deciding {
  decision = true
  readonly questions: JsonObject[] = []
  readonly issuers = new OtherIssuers()
  readonly outbound: Outbound = {
    ...nowhere,
    fetch: (ask) => this.issuers.fetch(ask),
    submit: async (ask) => {
      assert.ok('message' in ask)
      this.questions.push(JSON.parse(ask.message.content) as JsonObject)
      const body = Buffer.from(JSON.stringify({ decision: this.decision }))
      return ok({ type: 'application/json', body, fetchedAt: 0, maxAge: 0 })
    },
  }
}

async function approveDevice(node: Authority, userCode: string): Promise<void> {
  const person = new PersonAtBrowser(node)
  person.keep(node.browser.nameBrowser(person.visitor()))
  const entered = await node.browser.enterUserCode(userCode, person.visitor())
  assert.ok(entered.did === 'entered', entered.did)
  person.keep(entered.cookies)
  person.interaction = entered.interaction
  await person.signIn()
  await person.allow()
}

for (const database of databases) {
  describe(`a policy service on ${database}`, async () => {
    const it = await openDeployment(database)
    await declare(it, objects)
    const other = new Deciding()
    other.issuers.publish(forge, [key])
    const node = it.node({ outbound: other.outbound })

    /** Denied, then permitted: the same credential is good once the policy is. */
    async function twice(grantType: string, subject: string, redeem: () => Promise<Polled>): Promise<void> {
      const before = other.questions.length
      other.decision = false
      assert.deepEqual(await redeem(), { error: 'policy_denied' })
      other.decision = true
      const held = await redeem()
      assert.ok(held.access_token !== undefined, JSON.stringify(held))
      const asked = other.questions.slice(before)
      assert.equal(asked.length, 2)
      for (const question of asked) {
        const { action, subject: who } = question as {
          readonly action: { readonly properties: JsonObject }
          readonly subject: JsonObject
        }
        assert.deepEqual([action.properties['grant_type'], who['type']], [grantType, subject])
      }
    }

    test('RFC 8628: a device code that a person approved', async () => {
      const device = await DeviceAtHome.ask(node)
      await approveDevice(node, device.userCode)
      // Each poll comes after the interval.
      await twice(deviceGrant, 'user', async () => {
        it.clock += 60_000
        return poll(node, device.deviceCode)
      })
    })

    test('CIBA: a request by the back channel that a person approved', async () => {
      const { id } = await askByBackchannel(node)
      const alice = await PersonAtAccount.signedIn(node)
      await alice.answer(true)
      await twice(cibaGrant, 'user', async () => {
        it.clock += 60_000
        return pollRequest(node, id)
      })
    })

    test('RFC 7523 §2.1: an assertion of a trusted issuer', async () => {
      const assertion = signedToken(workloadClaims(it.clock, { iss: forge, aud: 'https://as.example', sub: 'ci' }), {
        by: key,
      })
      const form = formOf(new URLSearchParams({ grant_type: assertionGrant, assertion, scope: 'invoices:read' }))
      await twice(assertionGrant, 'client', async () => {
        const answer = await node.token({ ...unproven, tenant: root, form, ip: '192.0.2.9', traceId: null })
        return answer.kind === 'ok' ? answer.value : { error: answer.error.reason }
      })
    })
  })
}
