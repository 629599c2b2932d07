/** A grant and a client authentication method that nobody built in: given in the lists, they are served like the others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Authority, builtIn, type EndpointRequest, type Extensions, openAuthority } from '@grantor/authority'
import type { ClientAuthRule } from '@grantor/protocol/client-auth'
import { type GrantRule, refuse } from '@grantor/protocol/grants'
import { defaultPolicy, formOf } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Handle } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import {
  api,
  declare,
  type Deployment,
  isActive,
  openDeployment,
  operator,
  root,
  tokenFrom,
  unproven,
} from './support/deployment.ts'

/** A token of ours for another one: both are looked up, and the answer says what was given (after RFC 8693). */
const swap: GrantRule<
  { readonly subject: string; readonly actor: string | null },
  { subject: 'token'; actor: 'token' }
> = {
  type: 'urn:example:swap',
  parse(form) {
    const subject = form.get('subject_token')
    if (subject === undefined) return err({ reason: 'parameter_missing', name: 'subject_token' })
    return ok({ subject, actor: form.get('actor_token') ?? null })
  },
  lookups: ({ subject, actor }) => ({
    subject: { find: 'token', by: subject },
    actor: actor === null ? null : { find: 'token', by: actor },
  }),
  decide({ facts: { subject, actor }, params, catalogue }) {
    if (subject?.kind !== 'access' || !subject.active) return refuse({ reason: 'grant_ended' })
    if (params.actor !== null && actor === null) return refuse({ reason: 'grant_ended' })
    const act = actor?.kind === 'access' ? { act: { sub: actor.token.subject } } : {}
    return {
      do: 'issue',
      grantId: null,
      subject: subject.token.subject,
      scope: subject.token.scope,
      resource: catalogue.resources.find(({ identifier }) => identifier === api) ?? null,
      claims: act,
      spend: null,
      refresh: null,
      idToken: null,
      response: { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', token_type: 'forged' },
    }
  },
}

/** Whoever shows the right certificate is its client. */
const byCertificate: ClientAuthRule = {
  method: 'toy_certificate',
  recognise({ form, clientCertificate }) {
    const clientId = form.get('client_id')
    if (clientCertificate === null || clientId === undefined) return null
    return ok({ method: 'toy_certificate', clientId, secret: Buffer.from(clientCertificate).toString() as Handle })
  },
  proves: ({ presented, client }) => client !== null && presented.secret === (`certificate of ${client.id}` as Handle),
}

const toys: Extensions = {
  grants: [...builtIn.grants, swap],
  clientAuthMethods: [byCertificate, ...builtIn.clientAuthMethods],
}

const metadata = { grant_types: [swap.type], token_endpoint_auth_method: byCertificate.method, scope: 'invoices:read' }

const ask = (clientId: string, more: Readonly<Record<string, string>>, shown = clientId): EndpointRequest => ({
  ...unproven,
  tenant: root,
  form: formOf(Object.entries({ client_id: clientId, grant_type: swap.type, ...more })),
  clientCertificate: Buffer.from(`certificate of ${shown}`),
  ip: '192.0.2.7',
  traceId: null,
})

async function extended(): Promise<{ readonly deployment: Deployment; readonly node: Authority }> {
  const deployment = await openDeployment()
  await declare(deployment)
  const policy = { ...defaultPolicy, registration: { ...defaultPolicy.registration, mode: 'open' as const } }
  const grants = [...policy.registration.grants, swap.type]
  const ports = { ...deployment.ports, policy: { ...policy, registration: { ...policy.registration, grants } } }
  return { deployment, node: openAuthority(ports, toys) }
}

describe('a grant and a method from outside', () => {
  test('discovery shows them, and an authority without them does not', async () => {
    const { deployment, node } = await extended()
    const shown = await node.metadata(root)
    assert.ok(shown.kind === 'ok')
    assert.ok((shown.value['grant_types_supported'] as string[]).includes(swap.type))
    assert.ok((shown.value['token_endpoint_auth_methods_supported'] as string[]).includes(byCertificate.method))
    const plain = await deployment.authority.metadata(root)
    assert.ok(plain.kind === 'ok' && !JSON.stringify(plain.value).includes(swap.type))
    await node.close()
  })

  test('administration and registration take clients that use them, and only there', async () => {
    const { deployment, node } = await extended()
    assert.equal((await node.admin.clients.create(operator, root, { id: 'toy', metadata })).kind, 'ok')
    const refused = await deployment.authority.admin.clients.create(operator, root, { id: 'other-toy', metadata })
    assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid')
    const request = { tenant: root, ip: '192.0.2.7', traceId: null, authorization: null, body: metadata }
    const registered = await node.register(request)
    assert.ok(registered.kind === 'ok', JSON.stringify(registered))
    assert.deepEqual(registered.value['grant_types'], [swap.type])
    assert.equal(registered.value['token_endpoint_auth_method'], byCertificate.method)
    await node.close()
  })

  test('the token endpoint serves them: two lookups, claims and further members of the response', async () => {
    const { node } = await extended()
    assert.equal((await node.admin.clients.create(operator, root, { id: 'toy', metadata })).kind, 'ok')
    const subject = await tokenFrom(node, 'scope=invoices:read')
    const actor = await tokenFrom(node, 'scope=invoices:read', { as: 'other' })
    const given = await node.token(ask('toy', { subject_token: subject, actor_token: actor }))
    assert.ok(given.kind === 'ok', JSON.stringify(given))
    assert.equal(given.value['issued_token_type'], 'urn:ietf:params:oauth:token-type:access_token')
    assert.equal(given.value['token_type'], 'Bearer')
    const token = given.value['access_token'] as string
    const claims = decodeJwt(token)
    assert.deepEqual([claims.sub, claims['client_id'], claims['act']], ['svc', 'toy', { sub: 'other' }])
    assert.ok(await isActive(node, token, { as: 'api' }))

    const wrong = await node.token(ask('toy', { subject_token: subject }, 'somebody else'))
    assert.ok(wrong.kind === 'error' && wrong.error.reason === 'client_unauthenticated')
    const unknown = await node.token(ask('toy', { subject_token: 'no token of ours' }))
    assert.ok(unknown.kind === 'error' && unknown.error.reason === 'grant_ended')
    await node.admin.tokens.revoke(operator, root, subject)
    const dead = await node.token(ask('toy', { subject_token: subject }))
    assert.ok(dead.kind === 'error' && dead.error.reason === 'grant_ended')
    await node.close()
  })
})
