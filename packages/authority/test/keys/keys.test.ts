/** The life of signing keys: announced, current, retiring, dropped; on two nodes that share a database. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { openKeyring } from '../../src/keys/keyring.ts'
import {
  databases,
  declare,
  type Deployment,
  isActive,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const day = 86_400_000
const kidOf = (token: string) => String(decodeProtectedHeader(token).kid)

/** The published keys of one algorithm: that of access tokens, unless another is named. */
async function published(
  deployment: Deployment,
  authority = deployment.authority,
  alg = 'ES256',
): Promise<readonly string[]> {
  const answer = await authority.keySet(root)
  assert.ok(answer.kind === 'ok')
  const keys = answer.value.body['keys'] as { kid: string; alg: string }[]
  return keys.filter((key) => key.alg === alg).map((key) => key.kid)
}

for (const database of databases) {
  describe(`signing keys on ${database}`, () => {
    test('the very first key signs at once, and a burst of first requests makes one key', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const tokens = await Promise.all(
        Array.from({ length: 20 }, () => tokenFrom(deployment.authority, 'scope=invoices:read')),
      )
      assert.equal(new Set(tokens.map(kidOf)).size, 1)
      assert.equal((await published(deployment)).length, 1)
    })

    test('RFC 7517 §5: the key set is whole before anything was signed: who fetched it then can verify the first tokens', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const [access, id] = [await published(deployment), await published(deployment, deployment.node(), 'RS256')]
      assert.equal(id.length, 1, 'OIDC Core §15.1: ID tokens are signed by RS256 where nobody chose another')
      assert.deepEqual([kidOf(await tokenFrom(deployment.authority, 'scope=invoices:read'))], access)
      const catalogue = await deployment.store.directory.catalogue(root)
      assert.ok(catalogue !== null)
      assert.deepEqual([(await openKeyring(deployment.ports).signer(catalogue, 'RS256')).kid], id, 'no other is made')
    })

    test('rotate publishes a next key that signs a day later; tokens of the old key live out their life', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { authority } = deployment
      const node = deployment.node()
      const first = await tokenFrom(authority, 'scope=invoices:read')
      assert.ok((await authority.admin.keys.rotate(operator, root, { now: false })).kind === 'ok')
      assert.equal((await published(deployment, node)).length, 2, 'announced on every node')
      assert.equal(kidOf(await tokenFrom(node, 'scope=invoices:read')), kidOf(first), 'not yet signing')
      deployment.clock += day - 1000
      const last = await tokenFrom(authority, 'scope=invoices:read')
      deployment.clock += 1000
      const next = await tokenFrom(node, 'scope=invoices:read')
      assert.notEqual(kidOf(next), kidOf(first))
      assert.equal(await isActive(authority, last), true)
      assert.equal((await published(deployment)).length, 2, 'the old key is still published')
    })

    test('rotate --now signs with the new key at once and keeps the old one published', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const old = await tokenFrom(deployment.authority, 'scope=invoices:read')
      const node = deployment.node()
      await tokenFrom(node, 'scope=invoices:read')
      assert.ok((await deployment.authority.admin.keys.rotate(operator, root, { now: true })).kind === 'ok')
      const fresh = await tokenFrom(node, 'scope=invoices:read')
      assert.notEqual(kidOf(fresh), kidOf(old), 'a node that remembers the old key must not sign with it')
      assert.equal(await isActive(node, old), true)
    })

    test('a dropped key is dead at once: unpublished, its tokens refused, another signs', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const node = deployment.node()
      const token = await tokenFrom(node, 'scope=invoices:read')
      assert.ok((await deployment.authority.admin.keys.drop(operator, root, kidOf(token))).kind === 'ok')
      const fresh = await tokenFrom(node, 'scope=invoices:read')
      assert.notEqual(kidOf(fresh), kidOf(token))
      assert.equal(await isActive(node, token), false)
      assert.equal((await published(deployment, node)).includes(kidOf(token)), false)
    })

    test('two nodes that rotate at the same moment add different generations or lose, never two of one', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      const nodes = Array.from({ length: 6 }, () => deployment.node())
      await Promise.all(nodes.map((node) => node.admin.keys.rotate(operator, root, { now: true })))
      const keys = await deployment.store.keys.list(root)
      assert.equal(new Set(keys.map((key) => key.generation)).size, keys.length)
      const tokens = await Promise.all(nodes.map((node) => tokenFrom(node, 'scope=invoices:read')))
      assert.equal(new Set(tokens.map(kidOf)).size, 1, 'all nodes agree on the current key')
    })
  })
}
