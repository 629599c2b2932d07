/** Rich authorization requests, RFC 9396: from the request to the token, and every way to get more than was granted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  asking,
  databases,
  type Database,
  declare,
  type Deployment,
  machine,
  openDeployment,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

const bank = 'https://bank.example'
const amount = {
  type: 'object',
  required: ['value', 'currency'],
  properties: {
    value: { type: 'string', pattern: '^[0-9]{1,9}(\\.[0-9]{2})?$' },
    currency: { type: 'string', enum: ['EUR', 'CHF'] },
  },
}
const payment = {
  type: 'payment',
  resources: [bank],
  schema: {
    type: 'object',
    required: ['amount', 'creditor'],
    properties: {
      amount,
      creditor: { type: 'string', maxLength: 70 },
      reference: { type: 'string' },
    },
  },
  description: {
    en: 'Pay {amount.value} {amount.currency} to {creditor}',
    de: '{amount.value} {amount.currency} an {creditor} zahlen',
  },
}
const invoices = {
  type: 'https://api.example/invoice',
  resources: [api, 'https://opaque.example'],
  schema: { type: 'object', properties: { number: { type: 'integer', minimum: 1 } } },
  description: 'See invoice {number}',
}
const pay = (value: string, more: JsonObject = {}): JsonObject => ({
  type: 'payment',
  amount: { value, currency: 'EUR' },
  creditor: 'Merchant',
  ...more,
})
const invoice = (number: number, more: JsonObject = {}): JsonObject => ({ type: invoices.type, number, ...more })
const allowed = ['payment', invoices.type]

async function deployed(database: Database): Promise<Deployment> {
  const it = await openDeployment(database)
  await declarePeople(it)
  await declareTypes(it)
  return it
}

const declareTypes = (it: Deployment, types: readonly JsonObject[] = [payment, invoices], more: JsonObject = {}) =>
  declare(it, {
    resources: [{ identifier: bank, name: 'Bank' }],
    authorization_details_types: types,
    clients: [
      {
        ...machine('web', 'openid offline_access invoices:read'),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: ['https://client.example/cb'],
        authorization_details_types: allowed,
        ...more,
      },
      { ...machine('robot', 'invoices:read'), authorization_details_types: [invoices.type] },
    ],
  })

const asked = (details: unknown, more: Record<string, string> = {}) => {
  const form = { authorization_details: typeof details === 'string' ? details : JSON.stringify(details), ...more }
  return authorizeQuery({ scope: 'openid offline_access', resource: '', ...form })
}

const part = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

async function token({ authority }: Deployment, body: string, as = 'web') {
  return authority.token(asking(body, { as }))
}
async function tokens(it: Deployment, body: string, as = 'web'): Promise<JsonObject> {
  const answer = await token(it, body, as)
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value
}
function errorOf(shown: Awaited<ReturnType<PersonAtBrowser['begin']>>): readonly (string | null)[] {
  assert.ok(shown.go === 'answer' && shown.response.mode === 'redirect', shown.go)
  const { searchParams } = new URL(shown.response.location)
  return [searchParams.get('error'), searchParams.get('error_description')]
}

const withDetails = (body: string, details: unknown): string =>
  `${body}&authorization_details=${encodeURIComponent(JSON.stringify(details))}`
const refreshing = (token: unknown): string => `grant_type=refresh_token&refresh_token=${token as string}`

for (const database of databases) {
  const rar = (title: string, body: (it: Deployment) => Promise<void>): void =>
    void test(`${database}: ${title}`, async () => body(await deployed(database)))

  rar(
    'RFC 9396 §7, §9: what a person allowed is in the response, the token, introspection and every refresh',
    async (it) => {
      const wanted = [pay('123.50'), pay('7.00', { reference: 'Müller & Söhne <1>' })]
      const person = new PersonAtBrowser(it.authority)
      const code = await person.code(asked(wanted))
      const first = await tokens(it, redemption(code))
      assert.deepEqual(first['authorization_details'], wanted)
      const claims = part(first['access_token'] as string)
      assert.deepEqual([claims['aud'], claims['authorization_details']], [bank, wanted])
      const seen = await it.authority.introspect(asking(`token=${first['access_token'] as string}`, { as: 'web' }))
      assert.ok(seen.kind === 'ok')
      assert.deepEqual(seen.value['authorization_details'], wanted)
      const held = await it.authority.introspect(asking(`token=${first['refresh_token'] as string}`, { as: 'web' }))
      assert.ok(held.kind === 'ok')
      assert.deepEqual(held.value['authorization_details'], wanted)
      const again = await tokens(it, refreshing(first['refresh_token']))
      assert.deepEqual(part(again['access_token'] as string)['authorization_details'], wanted)
      // Narrowed for one token, whole again for the next.
      const narrowed = await tokens(it, withDetails(refreshing(again['refresh_token']), [wanted[1]]))
      assert.deepEqual(narrowed['authorization_details'], [wanted[1]])
      const whole = await tokens(it, refreshing(narrowed['refresh_token']))
      assert.deepEqual(whole['authorization_details'], wanted)
    },
  )

  rar('RFC 9396 §6: nothing is widened at redemption or refresh, and a refusal spends nothing', async (it) => {
    const granted = pay('10.00')
    const code = await new PersonAtBrowser(it.authority).code(asked([granted]))
    const wider = [
      [pay('10.01')],
      [pay('10.00', { reference: 'x' })],
      [granted, pay('1.00')],
      [pay('10.00', { locations: [bank] })],
      [invoice(1)],
    ]
    for (const details of wider) {
      const refused = await token(it, withDetails(redemption(code), details))
      assert.ok(refused.kind === 'error' && refused.error.reason === 'details_exceed_grant', JSON.stringify(details))
    }
    const first = await tokens(
      it,
      withDetails(redemption(code), [
        { creditor: 'Merchant', amount: { currency: 'EUR', value: '10.00' }, type: 'payment' },
      ]),
    )
    assert.deepEqual(first['authorization_details'], [granted])
    for (const details of wider) {
      const refused = await token(it, withDetails(refreshing(first['refresh_token']), details))
      assert.ok(refused.kind === 'error' && refused.error.reason === 'details_exceed_grant')
    }
    await tokens(it, refreshing(first['refresh_token']))
  })

  rar('RFC 9396 §6: a retry of a refresh brings the same details, neither more nor fewer', async (it) => {
    const [one, two] = [pay('1.00'), pay('2.00')]
    const code = await new PersonAtBrowser(it.authority).code(asked([one, two]))
    const { refresh_token: held } = await tokens(it, redemption(code))
    const first = await tokens(it, withDetails(refreshing(held), [one]))
    for (const body of [
      refreshing(held),
      withDetails(refreshing(held), [two]),
      withDetails(refreshing(held), [one, two]),
    ]) {
      const other = await token(it, body)
      assert.ok(other.kind === 'error' && other.error.reason === 'retry_of_other_details', JSON.stringify(other))
    }
    const retried = await tokens(it, withDetails(refreshing(held), [one]))
    assert.equal(retried['refresh_token'], first['refresh_token'])
    assert.deepEqual(retried['authorization_details'], [one])
  })

  rar('RFC 9396 §2.2: a token carries the details of its own resource alone', async (it) => {
    const [paid, seen, here] = [pay('3.00'), invoice(7), invoice(8, { locations: [api] })]
    const code = await new PersonAtBrowser(it.authority).code(asked([paid, seen, here]))
    const unnamed = await token(it, redemption(code))
    assert.ok(unnamed.kind === 'error' && unnamed.error.reason === 'resource_ambiguous')
    const elsewhere = await token(it, withDetails(`${redemption(code)}&resource=${bank}`, [seen]))
    assert.ok(elsewhere.kind === 'error' && elsewhere.error.reason === 'details_of_another_resource')
    const atBank = await tokens(it, `${redemption(code)}&resource=${bank}`)
    assert.deepEqual(part(atBank['access_token'] as string)['authorization_details'], [paid])
    const atApi = await tokens(it, `${refreshing(atBank['refresh_token'])}&resource=${api}`)
    assert.deepEqual(part(atApi['access_token'] as string)['authorization_details'], [seen, here])
    const opaque = await tokens(it, `${refreshing(atApi['refresh_token'])}&resource=https://opaque.example`)
    assert.deepEqual(opaque['authorization_details'], [seen])
    const told = await it.authority.introspect(asking(`token=${opaque['access_token'] as string}`, { as: 'web' }))
    assert.ok(told.kind === 'ok')
    assert.deepEqual(told.value['authorization_details'], [seen])
  })

  rar('RFC 9396 §5: a request that no type describes is refused before anybody is asked', async (it) => {
    let deep: unknown = 'x'
    for (let n = 0; n < 100; n++) deep = { deep }
    const refusals: readonly (readonly [string, unknown, Record<string, string>?])[] = [
      ['details_malformed', '{'],
      ['details_malformed', pay('1.00')],
      ['details_malformed', []],
      ['details_malformed', 'null'],
      ['details_malformed', ['payment']],
      ['details_malformed', [{ amount: 1 }]],
      ['details_malformed', [{ type: 7 }]],
      ['details_malformed', '[{"type":"payment","type":"payment"}]'],
      ['details_malformed', '[{"type":"payment","__proto__":{"admin":true}}]'],
      ['details_malformed', [pay('1.00'), pay('1.00')]],
      ['details_malformed', [{ type: 'payment', deep }]],
      ['details_malformed', [pay('1.00', { reference: 'x'.repeat(11_000) })]],
      ['details_malformed', Array.from({ length: 21 }, (_, n) => invoice(n + 1))],
      ['details_type_unknown', [{ type: 'toString' }]],
      ['details_type_unknown', [{ type: 'Payment' }]],
      ['details_misfit', [{ type: 'payment' }]],
      ['details_misfit', [pay('1.00', { extra: true })]],
      ['details_misfit', [pay('1.00', { constructor_: 1 })]],
      ['details_misfit', [pay('1e9')]],
      ['details_misfit', [pay('1.00', { creditor: 'x'.repeat(71) })]],
      ['details_misfit', [pay('1.00', { creditor: ['Merchant'] })]],
      ['details_misfit', [pay('1.00', { creditor: 'Merchant\u202e' })]],
      ['details_misfit', [pay('1.00', { amount: { value: '1.00', currency: 'XXX' } })]],
      ['details_misfit', [invoice(0)]],
      ['details_misfit', [invoice(1.5)]],
      ['details_of_another_resource', [pay('1.00', { locations: [api] })]],
      ['details_of_another_resource', [pay('1.00', { locations: [] })]],
      ['details_of_another_resource', [pay('1.00', { locations: bank })]],
      ['details_of_another_resource', [pay('1.00')], { resource: api }],
    ]
    for (const [reason, details, more] of refusals) {
      const shown = await new PersonAtBrowser(it.authority).begin(asked(details, more))
      const { error_description: description } = refusalResponse({ reason } as Refusal)
      assert.deepEqual(
        errorOf(shown),
        ['invalid_authorization_details', description],
        JSON.stringify(details).slice(0, 90),
      )
    }
  })

  rar('RFC 9396 §10: a client asks for the types it is registered for, and for no other', async (it) => {
    const other = await new PersonAtBrowser(it.authority).begin(asked([pay('1.00')], { client_id: 'web2' }))
    assert.equal(errorOf(other)[0], 'invalid_authorization_details')
    const robot = await token(it, withDetails('grant_type=client_credentials', [pay('1.00')]), 'robot')
    assert.ok(robot.kind === 'error' && robot.error.reason === 'details_type_not_allowed')
  })

  rar('RFC 9396 §6: a client of its own has details where it names the one resource', async (it) => {
    const wanted = [invoice(4)]
    const ambiguous = await token(it, withDetails('grant_type=client_credentials', wanted), 'robot')
    assert.equal(ambiguous.kind, 'error')
    const named = await tokens(it, withDetails(`grant_type=client_credentials&resource=${api}`, wanted), 'robot')
    assert.deepEqual(named['authorization_details'], wanted)
    assert.equal(named['scope'], '')
    assert.deepEqual(part(named['access_token'] as string)['authorization_details'], wanted)
    const only = invoice(4, { locations: [api] })
    const implied = await tokens(it, withDetails('grant_type=client_credentials', [only]), 'robot')
    assert.equal(part(implied['access_token'] as string)['aud'], api)
    const elsewhere = await token(it, withDetails(`grant_type=client_credentials&resource=${bank}`, wanted), 'robot')
    assert.ok(elsewhere.kind === 'error' && elsewhere.error.reason === 'details_of_another_resource')
  })

  rar('RFC 9396 §7: an earlier yes counts for equal details alone', async (it) => {
    const person = new PersonAtBrowser(it.authority)
    await person.code(asked([pay('10.00')]))
    const same = await person.begin(asked([{ ...pay('10.00') }]))
    assert.equal(same.go, 'answer')
    for (const details of [[pay('10.01')], [pay('10.00'), pay('11.00')], [pay('10.00', { reference: 'x' })]]) {
      const shown = await person.begin(asked(details))
      assert.equal(shown.go, 'consent')
      const silent = await person.begin(asked(details, { prompt: 'none', scope: 'openid' }))
      assert.equal(errorOf(silent)[0], 'consent_required')
    }
    const shown = await person.begin(asked([pay('10.00'), pay('11.00')]))
    assert.ok(shown.go === 'consent')
    assert.deepEqual(shown.question.details, [pay('11.00')])
    await person.deny()
    assert.equal((await person.begin(asked([pay('11.00')]))).go, 'consent')
  })

  rar(
    'a type that was undeclared, changed or taken from the client after the grant was made is in no new token',
    async (it) => {
      const wanted = [pay('5.00'), invoice(3, { locations: [api] })]
      const code = await new PersonAtBrowser(it.authority).code(asked(wanted))
      const first = await tokens(it, `${redemption(code)}&resource=${bank}`)
      assert.deepEqual(first['authorization_details'], [wanted[0]])
      // The type now says that small payments are no longer made.
      const dearer = {
        ...amount,
        properties: { ...amount.properties, value: { type: 'string', pattern: '^[0-9]{3}' } },
      }
      const changed = {
        ...payment,
        schema: { ...payment.schema, properties: { ...payment.schema.properties, amount: dearer } },
      }
      await declareTypes(it, [changed, invoices])
      const second = await tokens(it, `${refreshing(first['refresh_token'])}&resource=${bank}`)
      assert.equal(second['authorization_details'], undefined)
      await declareTypes(it)
      await declareTypes(it, [payment, invoices], { authorization_details_types: [invoices.type] })
      const third = await tokens(it, `${refreshing(second['refresh_token'])}&resource=${bank}`)
      assert.equal(third['authorization_details'], undefined)
      const insisted = await token(
        it,
        withDetails(`${refreshing(third['refresh_token'])}&resource=${bank}`, [wanted[0]]),
      )
      assert.ok(insisted.kind === 'error' && insisted.error.reason === 'details_exceed_grant')
      await declareTypes(it)
      const pruned = await it.authority.admin.declared.apply(
        { kind: 'operator', id: 'test' },
        { authorization_details_types: [invoices] },
        { prune: true },
      )
      assert.ok(pruned.kind === 'ok', JSON.stringify(pruned))
      const last = await tokens(it, `${refreshing(third['refresh_token'])}&resource=${bank}`)
      assert.equal(last['authorization_details'], undefined)
      const held = await it.authority.introspect(asking(`token=${last['refresh_token'] as string}`, { as: 'web' }))
      assert.ok(held.kind === 'ok')
      assert.deepEqual(held.value['authorization_details'], [wanted[1]])
    },
  )

  rar('RFC 9396 §10: metadata tell the declared types, and declaring them again changes nothing', async (it) => {
    const told = await it.authority.metadata(root)
    assert.ok(told.kind === 'ok')
    assert.deepEqual(told.value['authorization_details_types_supported'], [invoices.type, 'payment'])
    const exported = await it.authority.admin.declared.export()
    assert.ok(exported.kind === 'ok')
    assert.deepEqual(exported.value.authorization_details_types, [invoices, payment])
    const again = await it.authority.admin.declared.plan({ authorization_details_types: [payment, invoices] })
    assert.ok(again.kind === 'ok' && again.value.steps.length === 0, JSON.stringify(again))
  })
}

test('a type that could not be checked, counts nowhere or cannot be read is not declared', async () => {
  const it = await openDeployment()
  await declarePeople(it)
  const wrong: readonly (readonly [string, JsonObject])[] = [
    ['type', { ...payment, type: 'a b' }],
    ['resources', { ...payment, resources: [] }],
    ['resources', { ...payment, resources: ['https://nowhere.example'] }],
    ['schema', { ...payment, schema: { type: 'string' } }],
    ['schema', { ...payment, schema: { type: 'object' } }],
    ['schema', { ...payment, schema: { ...payment.schema, additionalProperties: true } }],
    ['schema', { ...payment, schema: { ...payment.schema, oneOf: [] } }],
    ['schema', { ...payment, schema: { type: 'object', properties: { type: { type: 'string' } } } }],
    ['schema', { ...payment, schema: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } } }],
    ['schema', { ...payment, schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } }],
    ['description', { ...payment, description: 'Pay {amount}' }],
    ['description', { ...payment, description: 'Pay {nothing}' }],
    ['description', { ...payment, description: 'Pay {creditor' }],
    ['description', { ...payment, description: { en: 'Pay', de: '\u200b' } }],
    ['extra', { ...payment, extra: 1 }],
  ]
  for (const [field, type] of wrong) {
    const planned = await it.authority.admin.declared.plan({
      resources: [{ identifier: bank }],
      authorization_details_types: [type],
    })
    assert.ok(planned.kind === 'error' && planned.error.reason === 'invalid', JSON.stringify(type))
    const fields = planned.error.problems.map((problem) => problem.field)
    assert.deepEqual(fields, [`authorization_details_types[0].${field}`], JSON.stringify(planned.error.problems))
  }
  const named = await it.authority.admin.clients.create({ kind: 'operator', id: 'test' }, root, {
    metadata: { grant_types: ['client_credentials'], authorization_details_types: ['payment'] },
  })
  assert.ok(named.kind === 'error' && named.error.reason === 'invalid')
})
