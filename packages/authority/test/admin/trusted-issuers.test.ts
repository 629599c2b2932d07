/** Whether the issuers that a tenant trusts can be believed now: their keys, and the clients that their rules name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { declaration, declare, openDeployment, root } from '../support/deployment.ts'
import { OtherIssuers, signingKey } from '../support/trusted-issuer.ts'

const [published, silent, foreign] = ['https://one.example', 'https://two.example', 'https://three.example']
const [given, named] = ['https://four.example', 'https://five.example']
const audience = 'https://as.example'
const rule = (client: string, sub: string) => ({ claims: { sub }, client })

test('Of each issuer it is told how many keys it has, or why none could be had, and which of its clients are missing', async () => {
  const deployment = await openDeployment()
  const { jwk } = signingKey('k')
  const rules = [rule('svc', 'a'), rule('svc', 'b'), rule('other', 'c'), rule('api', 'd')]
  await declare(deployment, {
    ...declaration,
    trusted_issuers: [
      { issuer: published, audience, rules },
      { issuer: silent, audience, rules: [rule('svc', 'a')] },
      { issuer: foreign, audience, rules: [rule('other', 'a')] },
      { issuer: given, audience, jwks: { keys: [jwk] }, rules: [rule('svc', 'a')] },
      { issuer: named, audience, jwks_uri: `${published}/keys.json`, rules: [rule('svc', 'a')] },
    ],
  })
  await deployment.tamper(`update clients set disabled_at = 1 where id = 'other'`)
  const others = new OtherIssuers()
  others.publish(published, [signingKey('a'), signingKey('b')])
  others.publish(foreign, [signingKey('c')], { issuer: published })
  const { trustedIssuers } = deployment.node({ outbound: others }).admin
  const examined = await trustedIssuers.examine(root)
  assert.ok(examined.kind === 'ok')
  assert.deepEqual(
    examined.value.map(({ trusted, keys, missingClients }) => [trusted.issuer, keys, missingClients]),
    [
      [published, 2, ['other']],
      [silent, 'unreachable', []],
      [foreign, 'undiscovered', ['other']],
      [given, 1, []],
      [named, 2, []],
    ],
  )
  assert.deepEqual(await trustedIssuers.examine('nowhere' as TenantId), {
    kind: 'error',
    error: { reason: 'absent', what: 'tenant nowhere' },
  })
})

test('A tenant that trusts nobody has nothing to examine', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  assert.deepEqual(await deployment.authority.admin.trustedIssuers.examine(root), { kind: 'ok', value: [] })
})
