/** Identity across servers: ID tokens and JWTs of others exchanged, and identity assertion grants between two Grantors. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Authority, FetchRequest, Outbound } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  api,
  asking,
  type Database,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption, redirectUri } from '../support/person.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`
const self = 'https://as.example'
const home = 'https://idp.acme.example'

const alice: JsonObject = {
  username: 'alice',
  password: 'correct-horse',
  email: 'alice@acme.example',
  email_verified: true,
}

/** The wiki is a client of both: people sign in to it at home, and it reads invoices at the other server. */
const atHome: JsonObject = {
  ...declaration,
  clients: [
    ...declaration.clients,
    {
      ...machine('wiki', 'openid email offline_access invoices:read'),
      grant_types: ['authorization_code', 'refresh_token', exchangeGrant],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      exchange: [
        {
          audience: self,
          scopes: ['invoices:read', 'invoices:write', 'unknown:there'],
          as: 'impersonate',
          client_id: 'wiki-there',
        },
        { audience: api, scopes: ['invoices:write', 'invoices:read'], as: 'delegate' },
      ],
    },
    {
      ...machine('other-wiki', 'openid'),
      grant_types: [exchangeGrant],
      exchange: [{ audience: self, as: 'delegate' }],
    },
  ],
  users: [alice, { username: 'bob', password: 'battery-staple' }],
}

const there = (people: JsonObject = { email_domains: ['acme.example'] }): JsonObject => ({
  ...declaration,
  clients: [
    ...declaration.clients,
    {
      ...machine('wiki-there', 'invoices:read'),
      grant_types: [bearerGrant, exchangeGrant],
      exchange: [{ audience: api, scopes: ['invoices:read', 'invoices:write'], as: 'delegate' }],
    },
    { ...machine('others-client', 'invoices:read'), grant_types: [bearerGrant] },
  ],
  users: [
    alice,
    { username: 'carol', password: 'correct-horse', email: 'carol@acme.example' },
    { username: 'dave', password: 'battery-staple' },
  ],
  trusted_issuers: [{ issuer: home, people }],
})

/** Answers what one authority publishes, as if it were fetched. */
class DocumentsOf implements Outbound {
  readonly of: Authority
  constructor(of: Authority) {
    this.of = of
  }
  async fetch({ url }: FetchRequest): ReturnType<Outbound['fetch']> {
    const keys = await this.of.keySet(root)
    const metadata = await this.of.metadata(root)
    if (keys.kind === 'error' || metadata.kind === 'error') return err('status')
    const found =
      url === `${home}/jwks`
        ? keys.value.body
        : url === `${home}/.well-known/openid-configuration`
          ? metadata.value
          : null
    if (found === null) return err('unreachable')
    return ok({ type: 'application/json', body: Buffer.from(JSON.stringify(found)), fetchedAt: 0, maxAge: 60 })
  }
  submit(): ReturnType<Outbound['submit']> {
    throw new Error('nothing is submitted')
  }

  deliver(): ReturnType<Outbound['deliver']> {
    return Promise.resolve(err('unreachable'))
  }

  post(): ReturnType<Outbound['post']> {
    return Promise.resolve(err('unreachable'))
  }

  notify(): ReturnType<Outbound['notify']> {
    return Promise.resolve(err('unreachable'))
  }
}

interface TwoServers {
  readonly idp: Deployment
  readonly issuer: Authority
  readonly ras: Deployment
  readonly consumer: Authority
  readonly idToken: string
  readonly refresh: string
  readonly access: string
  readonly person: PersonAtBrowser
}

async function twoServers(database: Database = 'sqlite', people?: JsonObject): Promise<TwoServers> {
  const idp = await openDeployment(database)
  const issuer = idp.node({ issuers: { issuerOf: (tenant) => (tenant === root ? home : `${home}/t/${tenant}`) } })
  await declare(idp, atHome)
  const ras = await openDeployment(database)
  await declare(ras, there(people))
  const person = new PersonAtBrowser(issuer)
  const code = await person.code(
    authorizeQuery({ client_id: 'wiki', scope: 'openid email offline_access invoices:read' }),
  )
  const answer = await issuer.token(asking(redemption(code), { as: 'wiki' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  const text = (name: string) => answer.value[name] as string
  return {
    idp,
    issuer,
    ras,
    consumer: ras.node({ outbound: new DocumentsOf(issuer) }),
    person,
    idToken: text('id_token'),
    refresh: text('refresh_token'),
    access: text('access_token'),
  }
}

type Form = Readonly<Record<string, string>>

const wanting = ({ idToken }: TwoServers, more: Form = {}): Form => ({
  grant_type: exchangeGrant,
  requested_token_type: type('id-jag'),
  audience: self,
  subject_token: idToken,
  subject_token_type: type('id_token'),
  ...more,
})

const send = (to: Authority, form: Form, as: string, tenant: TenantId = root) =>
  to.token(asking(String(new URLSearchParams(form)), { as, tenant }))

async function reasonOf(...args: Parameters<typeof send>): Promise<string> {
  const answer = await send(...args)
  return answer.kind === 'ok' ? 'ok' : answer.error.reason
}

async function answered(...args: Parameters<typeof send>): Promise<JsonObject> {
  const answer = await send(...args)
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value
}

const tokenIn = (answer: JsonObject): string => answer['access_token'] as string
const idJagOf = async (it: TwoServers, more: Form = {}) => tokenIn(await answered(it.issuer, wanting(it, more), 'wiki'))
const redeeming = (assertion: string, more: Form = {}): Form => ({ grant_type: bearerGrant, assertion, ...more })

for (const database of databases) {
  test(`${database}: draft-ietf-oauth-identity-assertion-authz-grant §4: an ID token becomes a grant for another server, which gives a token of the person`, async () => {
    const it = await twoServers(database)
    const answer = await answered(
      it.issuer,
      wanting(it, { resource: api, scope: 'invoices:read unknown:there' }),
      'wiki',
    )
    assert.deepEqual(
      [answer['issued_token_type'], answer['token_type'], answer['expires_in'], answer['refresh_token']],
      [type('id-jag'), 'N_A', 300, undefined],
    )
    const grant = decodeJwt(tokenIn(answer))
    assert.equal(decodeProtectedHeader(tokenIn(answer)).typ, 'oauth-id-jag+jwt')
    assert.deepEqual(
      [grant.iss, grant.aud, grant['client_id'], grant['resource'], grant['email'], grant['email_verified']],
      [home, self, 'wiki-there', api, 'alice@acme.example', true],
    )
    assert.equal(grant.sub, decodeJwt(it.idToken).sub)
    // It opens nothing at home.
    assert.ok(!(await isActive(it.issuer, tokenIn(answer), { as: 'api' })))
    const given = await answered(it.consumer, redeeming(tokenIn(answer)), 'wiki-there')
    assert.deepEqual(
      [given['token_type'], given['scope'], given['refresh_token']],
      ['Bearer', 'invoices:read', undefined],
    )
    const person = await it.ras.store.users.byUsername(root, 'alice')
    const claims = decodeJwt(tokenIn(given))
    assert.deepEqual([claims.sub, claims['client_id'], claims.aud], [person?.id, 'wiki-there', api])
    assert.ok(await isActive(it.consumer, tokenIn(given), { as: 'api' }))
    // Once, on every node.
    const again = it.ras.node({ outbound: new DocumentsOf(it.issuer) })
    assert.equal(await reasonOf(again, redeeming(tokenIn(answer)), 'wiki-there'), 'assertion_used')
    // Who is disabled takes along what rests on them; at either side.
    assert.ok(person !== null)
    const { id, version } = person
    await it.ras.store.users.change({
      tenant: root,
      id,
      version,
      disabledAt: it.ras.clock as never,
      at: it.ras.clock as never,
      events: [],
    })
    assert.ok(!(await isActive(it.consumer, tokenIn(given), { as: 'api' })))
    assert.equal(await reasonOf(it.consumer, redeeming(await idJagOf(it)), 'wiki-there'), 'assertion_invalid')
    await it.ras.store.events.position()
    const events = await it.ras.store.events.after(root, 0, 100)
    const issued = events.find(({ name }) => name === 'token.issued')
    assert.deepEqual(
      [issued?.subject, issued?.data?.['assertion_issuer'], issued?.data?.['assertion_subject']],
      [id, home, grant.sub],
    )
  })

  test(`${database}: RFC 8693 §2.1: an ID token of this client is exchanged by its policy, and its grant ends both`, async () => {
    const it = await twoServers(database)
    const form = {
      grant_type: exchangeGrant,
      subject_token: it.idToken,
      subject_token_type: type('id_token'),
      audience: api,
    }
    const answer = await answered(it.issuer, form, 'wiki')
    const claims = decodeJwt(tokenIn(answer))
    assert.deepEqual(
      [claims['scope'], claims.aud, claims['act']],
      ['invoices:read invoices:write', api, { sub: 'wiki' }],
    )
    assert.deepEqual(
      [claims['grant_id'], claims['sid']],
      [decodeJwt(it.access)['grant_id'], decodeJwt(it.idToken)['sid']],
    )
    assert.ok((claims.exp ?? 0) <= (decodeJwt(it.idToken).exp ?? 0))
    assert.ok(await isActive(it.issuer, tokenIn(answer), { as: 'api' }))
    // Nobody else's, nothing without a target or beyond the row, and not as an access token.
    assert.equal(await reasonOf(it.issuer, { ...form, audience: self }, 'other-wiki'), 'subject_token_invalid')
    assert.equal(
      await reasonOf(it.issuer, { ...form, audience: 'https://opaque.example' }, 'wiki'),
      'exchange_not_allowed',
    )
    assert.equal(await reasonOf(it.issuer, { ...form, scope: 'openid' }, 'wiki'), 'scope_exceeds_exchange')
    assert.equal(
      await reasonOf(it.issuer, { ...form, subject_token_type: type('access_token') }, 'wiki'),
      'subject_token_invalid',
    )
    assert.equal(await reasonOf(it.issuer, { ...form, subject_token: it.access }, 'wiki'), 'subject_token_invalid')
    const { audience: _, ...aimless } = form
    assert.equal(await reasonOf(it.issuer, aimless, 'wiki'), 'parameter_missing')
    await it.issuer.revoke(asking(`token=${it.refresh}`, { as: 'wiki' }))
    assert.ok(!(await isActive(it.issuer, tokenIn(answer), { as: 'api' })))
    assert.equal(await reasonOf(it.issuer, form, 'wiki'), 'subject_token_invalid')
    assert.equal(await reasonOf(it.issuer, wanting(it), 'wiki'), 'subject_token_invalid')
  })

  test(`${database}: a JWT of a trusted issuer is exchanged for its person or its workload, never for longer`, async () => {
    const it = await openDeployment(database)
    const others = new OtherIssuers()
    const key = signingKey('k1')
    others.publish(home, [key])
    const authority = it.node({ outbound: others })
    const trusting = {
      issuer: home,
      audience: 'wiki',
      rules: [{ claims: { sub: 'job:*' }, client: 'svc' }],
      people: { linked: [{ sub: 'u-1', username: 'alice' }] },
    }
    await declare(it, { ...there(), trusted_issuers: [trusting] })
    const sign = (more: JsonObject) =>
      signedToken(workloadClaims(it.clock, { iss: home, aud: 'wiki', ...more }), { by: key })
    const form = (token: string, more: Form = {}): Form => ({
      grant_type: exchangeGrant,
      subject_token: token,
      subject_token_type: type('jwt'),
      audience: api,
      ...more,
    })
    const now = Math.floor(it.clock / 1000)
    const person = await it.store.users.byUsername(root, 'alice')
    const claims = decodeJwt(
      tokenIn(await answered(authority, form(sign({ sub: 'u-1', exp: now + 100, auth_time: now - 5 })), 'wiki-there')),
    )
    assert.deepEqual(
      [claims.sub, claims.exp, claims['act'], claims['auth_time']],
      [person?.id, now + 100, { sub: 'wiki-there' }, now - 5],
    )
    assert.ok(typeof claims['grant_id'] === 'string')
    const job = decodeJwt(
      tokenIn(
        await answered(
          authority,
          form(sign({ sub: 'job:7', act: { sub: 'x', act: { sub: 'y' }, much: 'z' } })),
          'wiki-there',
        ),
      ),
    )
    assert.deepEqual(
      [job.sub, job['act'], job['grant_id']],
      ['svc', { sub: 'wiki-there', act: { sub: 'x', iss: home, act: { sub: 'y', iss: home } } }, undefined],
    )
    const deep = { sub: 'a', act: { sub: 'b', act: { sub: 'c', act: { sub: 'd' } } } }
    const refused: readonly (readonly [string, Form, string])[] = [
      ['nobody of ours', form(sign({ sub: 'u-2' })), 'subject_token_invalid'],
      ['for another audience', form(sign({ sub: 'u-1', aud: self })), 'subject_token_invalid'],
      ['expired', form(sign({ sub: 'u-1', exp: now })), 'subject_token_invalid'],
      [
        'of another key',
        form(signedToken(workloadClaims(it.clock, { iss: home, aud: 'wiki', sub: 'u-1' }), { by: signingKey('k1') })),
        'subject_token_invalid',
      ],
      [
        'of an issuer that is not trusted',
        form(sign({ sub: 'u-1', iss: 'https://evil.example' })),
        'subject_token_invalid',
      ],
      [
        'as an access token of ours',
        form(sign({ sub: 'u-1' }), { subject_token_type: type('access_token') }),
        'subject_token_invalid',
      ],
      ['that names another actor', form(sign({ sub: 'u-1', may_act: { sub: 'other' } })), 'actor_not_allowed'],
      ['handed on too often', form(sign({ sub: 'u-1', act: deep })), 'actors_too_many'],
      [
        'that widens',
        form(sign({ sub: 'job:7' }), { scope: 'invoices:read invoices:write files:read' }),
        'scope_exceeds_exchange',
      ],
      [
        'as a refresh token',
        form(sign({ sub: 'u-1' }), { subject_token_type: type('refresh_token') }),
        'token_type_not_exchanged',
      ],
    ]
    for (const [what, request, reason] of refused)
      assert.equal(await reasonOf(authority, request, 'wiki-there'), reason, what)
    others.away.add(home)
    assert.equal(await reasonOf(authority, form(sign({ sub: 'u-1' })), 'wiki-there'), 'issuer_unavailable')
    // A client that may do less than the row cannot do more by being spoken for.
    await declare(it, { clients: [machine('svc', 'files:read')] })
    others.away.clear()
    assert.equal(await reasonOf(authority, form(sign({ sub: 'job:7' })), 'wiki-there'), 'scope_missing')
  })
}

test('what is asserted of a person in the second that all their tokens ended in gives a token that lives', async () => {
  const it = await openDeployment()
  const key = signingKey('k1')
  const others = new OtherIssuers()
  others.publish(home, [key])
  const authority = it.node({ outbound: others })
  await declare(it, there({ linked: [{ sub: 'u-1', username: 'alice' }] }))
  const sign = (more: JsonObject, header: JsonObject) =>
    signedToken(workloadClaims(it.clock, { iss: home, aud: self, sub: 'u-1', ...more }), { by: key, header })
  const grants: readonly (() => Form)[] = [
    () => redeeming(sign({ client_id: 'wiki-there', scope: 'invoices:read' }, { typ: 'oauth-id-jag+jwt' })),
    () => ({
      grant_type: exchangeGrant,
      subject_token: sign({}, {}),
      subject_token_type: type('jwt'),
      audience: api,
    }),
  ]
  for (const form of grants) {
    const reset = { username: 'alice', password: `another-horse-${it.clock}` }
    assert.equal((await authority.admin.users.resetPassword(operator, root, reset)).kind, 'ok')
    const token = tokenIn(await answered(authority, form(), 'wiki-there'))
    assert.equal(await isActive(authority, token, { as: 'wiki-there' }), true)
  }
})

test('draft-ietf-oauth-identity-assertion-authz-grant §4.3: a refresh token stands for the sign-in, and is not used up', async () => {
  const it = await twoServers()
  const form = wanting(it, { subject_token: it.refresh, subject_token_type: type('refresh_token') })
  for (const scope of ['invoices:read', 'invoices:write'])
    assert.equal(await reasonOf(it.issuer, { ...form, scope }, 'wiki'), 'ok')
  assert.equal(await reasonOf(it.issuer, form, 'other-wiki'), 'subject_token_invalid')
  const refreshed = await answered(it.issuer, { grant_type: 'refresh_token', refresh_token: it.refresh }, 'wiki')
  assert.ok(typeof refreshed['refresh_token'] === 'string')
  assert.equal(await reasonOf(it.issuer, form, 'wiki'), 'subject_token_invalid')
  // For anything but such a grant a refresh token is exchanged for nothing.
  const plain = { ...form, subject_token: refreshed['refresh_token'], requested_token_type: type('access_token') }
  assert.equal(await reasonOf(it.issuer, { ...plain, audience: api }, 'wiki'), 'token_type_not_exchanged')
})

test('draft-ietf-oauth-identity-assertion-authz-grant §4.3.3: what the policy of the client does not say is not issued', async () => {
  const it = await twoServers()
  const refused: readonly (readonly [string, Form, string, string])[] = [
    ['another server', { audience: 'https://other.example' }, 'wiki', 'exchange_not_allowed'],
    ['ourselves', { audience: home }, 'wiki', 'exchange_not_allowed'],
    ['an API of ours', { audience: api }, 'wiki', 'exchange_not_allowed'],
    ['a scope beyond the row', { scope: 'invoices:admin' }, 'wiki', 'scope_exceeds_exchange'],
    ['another client', {}, 'other-wiki', 'subject_token_invalid'],
    [
      'an access token',
      { subject_token: it.access, subject_token_type: type('access_token') },
      'wiki',
      'token_type_not_exchanged',
    ],
    ['an access token called an ID token', { subject_token: it.access }, 'wiki', 'subject_token_invalid'],
    ['no audience', { audience: '' }, 'wiki', 'parameter_missing'],
  ]
  for (const [what, more, as, reason] of refused)
    assert.equal(await reasonOf(it.issuer, wanting(it, more), as), reason, what)
  it.person.keep(await it.issuer.browser.signOut(it.person.visitor()))
  assert.equal(await reasonOf(it.issuer, wanting(it), 'wiki'), 'subject_token_invalid', 'after the sign-out')
  it.idp.clock += 700_000
  assert.equal(await reasonOf(it.issuer, wanting(it), 'wiki'), 'subject_token_invalid', 'expired')
})

test('draft-ietf-oauth-identity-assertion-authz-grant §4.4.1: a grant is for one client, one server and one person that its issuer may speak of', async () => {
  const key = signingKey('k1')
  const others = new OtherIssuers()
  others.publish(home, [key])
  const ras = await openDeployment()
  await declare(ras, there({ email_domains: ['acme.example'], linked: [{ sub: 'u-9', username: 'dave' }] }))
  const consumer = ras.node({ outbound: others })
  const now = Math.floor(ras.clock / 1000)
  const made = (more: JsonObject = {}, header: JsonObject = {}) =>
    signedToken(
      {
        iss: home,
        aud: self,
        sub: 'u-1',
        client_id: 'wiki-there',
        iat: now,
        exp: now + 300,
        jti: randomUUID(),
        scope: 'invoices:read',
        email: 'alice@acme.example',
        email_verified: true,
        ...more,
      },
      { by: key, header: { typ: 'oauth-id-jag+jwt', ...header } },
    )
  assert.equal(await reasonOf(consumer, redeeming(made()), 'wiki-there'), 'ok')
  assert.equal(await reasonOf(consumer, redeeming(made({ aud: [self] })), 'wiki-there'), 'ok')
  const dave = decodeJwt(tokenIn(await answered(consumer, redeeming(made({ sub: 'u-9' })), 'wiki-there')))
  assert.equal(dave.sub, (await ras.store.users.byUsername(root, 'dave'))?.id, 'a link counts before an address')
  const absent = undefined as unknown as string
  const refused: readonly (readonly [string, string, string, string])[] = [
    ['for another client', made({ client_id: 'others-client' }), 'wiki-there', 'assertion_invalid'],
    ['by another client', made(), 'others-client', 'assertion_invalid'],
    ['for another server', made({ aud: 'https://other.example' }), 'wiki-there', 'assertion_invalid'],
    ['for two servers', made({ aud: [self, 'https://other.example'] }), 'wiki-there', 'assertion_invalid'],
    ['without jti', made({ jti: absent }), 'wiki-there', 'assertion_invalid'],
    ['without iat', made({ iat: absent }), 'wiki-there', 'assertion_invalid'],
    ['for hours', made({ exp: now + 7200 }), 'wiki-there', 'assertion_invalid'],
    ['of an address that is not verified there', made({ email_verified: absent }), 'wiki-there', 'assertion_invalid'],
    [
      'of an address that is not verified here',
      made({ email: 'carol@acme.example' }),
      'wiki-there',
      'assertion_invalid',
    ],
    ['of an address of another domain', made({ email: 'alice@evil.example' }), 'wiki-there', 'assertion_invalid'],
    ['of a domain that only ends so', made({ email: 'alice@notacme.example' }), 'wiki-there', 'assertion_invalid'],
    ['of nobody', made({ email: 'nobody@acme.example' }), 'wiki-there', 'assertion_invalid'],
    ['of a tenant that nobody declared', made({ tenant: 'x' }), 'wiki-there', 'assertion_invalid'],
    ['for another tenant of ours', made({ aud_tenant: 'acme' }), 'wiki-there', 'assertion_invalid'],
    ['bound to a key that is not shown', made({ cnf: { jkt: 'x' } }), 'wiki-there', 'assertion_invalid'],
    ['as a plain JWT', made({}, { typ: 'JWT' }), 'wiki-there', 'assertion_invalid'],
    ['for nothing that the client may have', made({ scope: 'invoices:write' }), 'wiki-there', 'scope_missing'],
    ['for scopes of administration', made({ scope: 'admin:users:read' }), 'wiki-there', 'scope_missing'],
    [
      'for a resource that is not here',
      made({ resource: 'https://nowhere.example' }),
      'wiki-there',
      'resource_unknown',
    ],
  ]
  for (const [what, assertion, as, reason] of refused)
    assert.equal(await reasonOf(consumer, redeeming(assertion), as), reason, what)
  assert.equal(
    await reasonOf(consumer, redeeming(made(), { scope: 'invoices:write' }), 'wiki-there'),
    'scope_exceeds_grant',
  )
  // It is a grant and no proof of a client, and is exchanged by nobody.
  const exchanging = {
    grant_type: exchangeGrant,
    subject_token: made(),
    subject_token_type: type('jwt'),
    audience: api,
  }
  assert.equal(await reasonOf(consumer, exchanging, 'wiki-there'), 'subject_token_invalid')
  const told = await consumer.metadata(root)
  assert.ok(told.kind === 'ok')
  assert.deepEqual(told.value['authorization_grant_profiles_supported'], ['urn:ietf:params:oauth:grant-profile:id-jag'])
  assert.deepEqual(told.value['identity_chaining_requested_token_types_supported'], [type('id-jag')])
  const changed = await ras.authority.admin.declared.apply(operator, {
    trusted_issuers: [{ issuer: home, rules: [] }],
  })
  assert.ok(changed.kind === 'ok')
  assert.equal(
    await reasonOf(consumer, redeeming(made()), 'wiki-there'),
    'assertion_invalid',
    'who may speak of nobody',
  )
})
