/** A policy service and a hook that are asked before a token is issued: what they say holds, and nothing is used up before. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority, Outbound, QuestionRequest } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { webhookHeaders, webhookKey } from '@grantor/protocol/webhooks'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  machine,
  nowhere,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const [invoices, opaque] = declaration.resources
const everything = 'openid profile offline_access invoices:read invoices:write files:read'
const policy = { url: 'https://pdp.example/access/v1/evaluation', deadline_ms: 700 }
const hook = { url: 'https://hook.example/issuing', claims: ['plan'] }

const objects = (more: JsonObject): JsonObject => ({
  ...declaration,
  resources: [{ ...invoices, ...more }, { ...opaque }],
  clients: [
    ...declaration.clients,
    {
      ...machine('web', everything),
      grant_types: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      exchange: [{ audience: api, as: 'delegate' }],
    },
  ],
  users: [{ username: 'alice', password: 'correct-horse', attributes: { department: 'Sales' } }],
})

const claimsOf = (jwt: unknown): JsonObject =>
  JSON.parse(Buffer.from((jwt as string).split('.')[1] ?? '', 'base64url').toString()) as JsonObject

/** Somebody who answers what the test says, and remembers what they were asked. */
class Other {
  answer: unknown = { decision: true }
  readonly asked: QuestionRequest[] = []
  readonly outbound: Outbound = {
    ...nowhere,
    submit: async (ask) => {
      assert.ok('message' in ask)
      this.asked.push(ask)
      if (this.answer === 'away') return err('unreachable')
      const text = typeof this.answer === 'string' ? this.answer : JSON.stringify(this.answer)
      return ok({ type: 'application/json', body: Buffer.from(text), fetchedAt: 0, maxAge: 0 })
    },
  }
  get last(): JsonObject {
    return JSON.parse(this.asked.at(-1)?.message.content ?? '{}') as JsonObject
  }
}

const ask = async (node: Authority, body: string, tenant?: TenantId) => {
  const answer = await node.token(asking(body, { as: 'web', ...(tenant === undefined ? {} : { tenant }) }))
  return answer.kind === 'ok' ? answer.value : { refused: answer.error.reason }
}
const own = 'grant_type=client_credentials&scope=invoices:read invoices:write'

for (const database of databases) {
  describe(`decisions of others on ${database}`, async () => {
    const it = await openDeployment(database)
    const other = new Other()
    const node = it.node({ outbound: other.outbound })

    test('AuthZEN §6: a policy service is asked for every grant, with who asks signed, and what it denies is not issued', async () => {
      await declare(it, objects({ policy_service: policy }))
      other.answer = { decision: true }
      const person = new PersonAtBrowser(node)
      const code = await person.code(authorizeQuery({ scope: 'openid offline_access invoices:read' }))
      assert.equal(other.asked.length, 0)
      other.answer = { decision: false, context: { reason: 'not today' } }
      assert.deepEqual(await ask(node, redemption(code)), { refused: 'policy_denied' })
      const { message, authorization, ...request } = other.asked.at(-1) ?? assert.fail()
      assert.deepEqual([request.url, request.deadline, request.types], [policy.url, 700, ['application/json']])
      const { subject, action, resource, context } = JSON.parse(message.content) as Readonly<Record<string, JsonObject>>
      const alice = await it.store.users.byUsername(root, 'alice')
      assert.deepEqual([subject?.['type'], subject?.['id']], ['user', alice?.id])
      assert.deepEqual(action, {
        name: 'issue_token',
        properties: { grant_type: 'authorization_code', scope: ['invoices:read', 'offline_access', 'openid'] },
      })
      assert.deepEqual(resource, { type: 'api', id: api })
      assert.equal(context?.['client_id'], 'web')
      const { iss, sub, aud, client_id: none } = claimsOf(authorization?.replace('Bearer ', ''))
      assert.deepEqual([iss, sub, aud, none], ['https://as.example', 'https://as.example', policy.url, undefined])
      const used = await node.introspect(asking(`token=${authorization?.replace('Bearer ', '')}`, { as: 'web' }))
      assert.deepEqual(used.kind === 'ok' && used.value, { active: false }, 'what says who asks opens nothing here')

      // Nothing was used up: the same code is good once the policy is.
      other.answer = { decision: true }
      const held = (await ask(node, redemption(code))) as Readonly<Record<string, string>>
      assert.ok(held['access_token'] !== undefined, JSON.stringify(held))
      for (const [body, grantType] of [
        [refreshing(held['refresh_token'] ?? ''), 'refresh_token'],
        [own, 'client_credentials'],
        [
          new URLSearchParams({
            grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
            subject_token: held['access_token'] ?? '',
            subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            resource: api,
          }).toString(),
          'urn:ietf:params:oauth:grant-type:token-exchange',
        ],
      ] as const) {
        other.answer = { decision: false }
        assert.deepEqual(await ask(node, body), { refused: 'policy_denied' }, grantType)
        assert.equal((other.last['action'] as JsonObject)['name'], 'issue_token')
        assert.equal(((other.last['action'] as JsonObject)['properties'] as JsonObject)['grant_type'], grantType)
        other.answer = { decision: true }
        assert.ok('access_token' in (await ask(node, body)), grantType)
      }
    })

    test('a policy service that is away, or answers no boolean, is 503 or as declared, and the refresh token stays good', async () => {
      await declare(it, objects({ policy_service: policy }))
      other.answer = { decision: true }
      const person = new PersonAtBrowser(node)
      const code = await person.code(authorizeQuery({ scope: 'openid offline_access invoices:read' }))
      const held = (await ask(node, redemption(code))) as Readonly<Record<string, string>>
      const refresh = refreshing(held['refresh_token'] ?? '')
      for (const answer of ['away', '{"decision":"true"}', '{"decision":1}', '[]', 'nonsense', '', '{}']) {
        other.answer = answer
        assert.deepEqual(await ask(node, refresh), { refused: 'policy_unavailable' }, answer)
      }
      await declare(it, objects({ policy_service: { ...policy, on_failure: 'allow' } }))
      other.answer = 'away'
      assert.ok('access_token' in (await ask(node, refresh)))
      other.answer = { decision: false }
      assert.deepEqual(await ask(node, own), { refused: 'policy_denied' }, 'a denial is an answer')
    })

    test('other APIs, and the same API of another tenant, ask nobody', async () => {
      await declare(it, objects({ policy_service: policy }))
      await declare(it, { tenants: [{ id: 'acme', ...objects({}) }] })
      other.answer = { decision: false }
      const before = other.asked.length
      assert.ok('access_token' in (await ask(node, 'grant_type=client_credentials&scope=files:read')))
      assert.ok('access_token' in (await ask(node, own, 'acme' as TenantId)))
      assert.equal(other.asked.length, before)
    })

    test('a denial is in the log with the API it was for, counted', async () => {
      await declare(it, objects({ policy_service: policy }))
      const counting = it.node({ outbound: other.outbound })
      other.answer = { decision: false }
      await ask(counting, own)
      await ask(counting, own)
      await counting.close()
      const found = await it.authority.admin.events.last(root, 5)
      assert.ok(found.kind === 'ok')
      const denied = found.value.findLast(({ name }) => name === 'token.denied')
      const { count, resource } = denied?.data ?? {}
      assert.deepEqual([denied?.reason, denied?.clientId, count, resource], ['policy_denied', 'web', 2, api])
    })

    test('a hook is told by a signed message, adds its claims, takes away scopes, and denies', async () => {
      await declare(it, objects({ issuance_hook: hook }))
      other.answer = { decision: 'allow', claims: { plan: 'gold' }, scope: 'invoices:read' }
      const issued = await ask(node, own)
      const claims = claimsOf(issued['access_token'])
      assert.deepEqual([claims['plan'], claims['scope'], issued['scope']], ['gold', 'invoices:read', 'invoices:read'])
      const { message, url } = other.asked.at(-1) ?? assert.fail()
      assert.equal(url, hook.url)
      const secret = await node.admin.hooks.secret(root, api)
      assert.ok(secret.kind === 'ok')
      const id = message.headers['webhook-id'] ?? ''
      const signed = {
        id,
        at: (Number(message.headers['webhook-timestamp']) * 1000) as never,
        content: message.content,
      }
      const expected = webhookHeaders(signed, [webhookKey(secret.value) ?? assert.fail()])
      assert.deepEqual({ ...message.headers }, expected)
      other.answer = { decision: 'deny', reason: 'no' }
      assert.deepEqual(await ask(node, own), { refused: 'hook_denied' })
      await declare(it, objects({ issuance_hook: { ...hook, key: 2 } }))
      const next = await node.admin.hooks.secret(root, api)
      assert.ok(next.kind === 'ok' && next.value !== secret.value, 'another number is another key')
      const none = await node.admin.hooks.secret(root, 'https://opaque.example')
      assert.equal(none.kind === 'error' && none.error.reason, 'absent')
    })

    test('a hook that wants more than it may is no answer: nothing is issued, or it is issued without it', async () => {
      const attacks = [
        { decision: 'allow', claims: { sub: 'root' } },
        { decision: 'allow', claims: { scope: 'admin:users:write' } },
        { decision: 'allow', claims: { other: 1 } },
        { decision: 'allow', scope: 'invoices:read files:read' },
        { decision: 'allow', scope: 'admin:users:write' },
        { decision: true },
        'not json',
        'away',
      ]
      await declare(it, objects({ issuance_hook: hook }))
      for (const answer of attacks) {
        other.answer = answer
        assert.deepEqual(await ask(node, own), { refused: 'hook_unavailable' }, JSON.stringify(answer))
      }
      await declare(it, objects({ issuance_hook: { ...hook, on_failure: 'allow' } }))
      for (const answer of attacks) {
        other.answer = answer
        const issued = await ask(node, own)
        const claims = claimsOf(issued['access_token'])
        assert.deepEqual([claims['sub'], claims['scope']], ['web', 'invoices:read invoices:write'])
      }
    })

    test('OIDC Core §12: a hook that takes a scope away for now leaves the refresh token what it stands for', async () => {
      await declare(it, objects({ issuance_hook: hook }))
      other.answer = { decision: 'allow', scope: 'invoices:read' }
      const person = new PersonAtBrowser(node)
      const code = await person.code(authorizeQuery({ scope: 'openid offline_access invoices:read invoices:write' }))
      const held = (await ask(node, redemption(code))) as Readonly<Record<string, string>>
      assert.equal(held['scope'], 'invoices:read offline_access openid')
      assert.ok(held['id_token'] !== undefined)
      other.answer = { decision: 'allow' }
      const next = await ask(node, refreshing(held['refresh_token'] ?? ''))
      assert.equal(next['scope'], 'invoices:read invoices:write offline_access openid')
    })

    test('addresses inside a network, and what is no policy service, are refused where they are declared', async () => {
      for (const more of [
        { policy_service: { url: 'https://127.0.0.1/x' } },
        { policy_service: { url: 'http://pdp.example' } },
        { policy_service: { url: policy.url, secret: 'x' } },
        { issuance_hook: { url: 'https://hook.internal/x' } },
        { issuance_hook: { ...hook, claims: ['sub'] } },
      ]) {
        const refused = await it.authority.admin.declared.apply(operator, objects(more))
        assert.equal(refused.kind, 'error', JSON.stringify(more))
      }
    })
  })
}
