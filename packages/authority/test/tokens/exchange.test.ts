/** Token exchange with real grants: what comes out, what it dies of, and what the log says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption } from '../support/person.ts'
import { validatorOf } from '../support/validator-of.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const files = 'https://files.example'
const type = 'urn:ietf:params:oauth:token-type:access_token'

const backend = (id: string, exchange: readonly JsonObject[]): JsonObject => ({
  ...machine(id, ''),
  grant_types: ['client_credentials', grantType],
  exchange,
})

const wanted: JsonObject = {
  ...declaration,
  resources: [...declaration.resources, { identifier: files, name: 'Files' }],
  scopes: [...declaration.scopes, { name: 'files:list', description: 'List files', resource: files }],
  clients: [
    ...declaration.clients,
    {
      ...machine('web', 'openid offline_access invoices:read invoices:write'),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['https://client.example/cb'],
    },
    backend('backend', [
      { audience: api, as: 'delegate' },
      { audience: files, scopes: ['files:list'], as: 'delegate' },
      { audience: 'https://opaque.example', scopes: ['files:read'], as: 'impersonate' },
    ]),
    backend('next', [{ audience: files, scopes: ['files:list'], as: 'delegate' }]),
    { ...machine('files-api', ''), resource_server: files },
  ],
  users: [{ username: 'alice', password: 'correct-horse' }],
}

interface Granted {
  readonly it: Deployment
  readonly access: string
  readonly refresh: string
  readonly person: PersonAtBrowser
}

async function granted(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Granted> {
  const it = await openDeployment(database)
  await declare(it, wanted)
  const person = new PersonAtBrowser(it.authority)
  const scope = 'openid offline_access invoices:read invoices:write'
  const code = await person.code(authorizeQuery({ client_id: 'web', redirect_uri: 'https://client.example/cb', scope }))
  const answer = await it.authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return {
    it,
    person,
    access: answer.value['access_token'] as string,
    refresh: answer.value['refresh_token'] as string,
  }
}

interface Sent {
  readonly as?: string
  readonly tenant?: TenantId
}

const exchange = (
  it: Deployment,
  token: string,
  more: Readonly<Record<string, string>> = {},
  { as = 'backend', tenant = root }: Sent = {},
) => {
  const form = { grant_type: grantType, subject_token: token, subject_token_type: type, ...more }
  return it.authority.token(asking(String(new URLSearchParams(form)), { as, tenant }))
}

async function exchanged(...args: Parameters<typeof exchange>): Promise<JsonObject> {
  const answer = await exchange(...args)
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value
}

const reasonOf = async (...args: Parameters<typeof exchange>): Promise<string> => {
  const answer = await exchange(...args)
  return answer.kind === 'ok' ? 'ok' : answer.error.reason
}

/** The last of the log. */
async function eventOf(it: Deployment) {
  const all = { above: 0, below: Number.MAX_SAFE_INTEGER, descending: true, limit: 1, matches: null }
  const found = await it.authority.admin.events.search(root, all)
  assert.ok(found.kind === 'ok')
  const [event] = found.value.found
  assert.ok(event !== undefined)
  return event
}

const tokenIn = (answer: JsonObject): string => answer['access_token'] as string

for (const database of databases) {
  test(`${database}: RFC 8693 §2: a person's token becomes one for the next API, which ends with the first`, async () => {
    const { it, access, person } = await granted(database)
    it.clock += 400_000
    const answer = await exchanged(it, access, { resource: files })
    const before = decodeJwt(access)
    const claims = decodeJwt(tokenIn(answer))
    assert.deepEqual(
      [claims.aud, claims['scope'], claims.sub, claims['client_id']],
      [files, 'files:list', before.sub, 'backend'],
    )
    assert.deepEqual(
      [claims['act'], claims['grant_id'], claims.exp],
      [{ sub: 'backend' }, before['grant_id'], before.exp],
    )
    assert.deepEqual(
      [answer['issued_token_type'], answer['refresh_token'], answer['expires_in']],
      [type, undefined, 200],
    )
    assert.ok(await isActive(it.authority, tokenIn(answer), { as: 'files-api' }))
    // Exchanged again, it names both; the sign-out ends them all.
    const again = await exchanged(it, tokenIn(answer), { resource: files }, { as: 'next' })
    assert.deepEqual(decodeJwt(tokenIn(again))['act'], { sub: 'next', act: { sub: 'backend' } })
    person.keep(await it.authority.browser.signOut(person.visitor()))
    for (const token of [tokenIn(answer), tokenIn(again)])
      assert.ok(!(await isActive(it.authority, token, { as: 'files-api' })))
    assert.equal(await reasonOf(it, access, { resource: files }), 'subject_token_invalid')
  })

  test(`${database}: revoking the first grant kills what was exchanged from it, opaque or not`, async () => {
    const { it, access, refresh } = await granted(database)
    const jwt = tokenIn(await exchanged(it, access, { resource: files }))
    const opaque = tokenIn(await exchanged(it, access, { audience: 'https://opaque.example' }))
    assert.match(opaque, /^ga_/)
    assert.ok(await isActive(it.authority, opaque, { as: 'backend' }))
    assert.equal((await it.authority.revoke(asking(`token=${refresh}`, { as: 'web' }))).kind, 'ok')
    assert.ok(!(await isActive(it.authority, jwt, { as: 'files-api' })))
    assert.ok(!(await isActive(it.authority, opaque, { as: 'backend' })))
    assert.equal(await reasonOf(it, jwt, { resource: files }, { as: 'next' }), 'subject_token_invalid')
  })
}

test('RFC 8693 §2.2.2: what is no access token of this tenant that lives is not exchanged', async () => {
  const { it, access, refresh } = await granted()
  const idToken = 'eyJhbGciOiJub25lIn0.e30.'
  for (const token of [refresh, idToken, 'gr_nothing', `${access}x`, access.slice(0, -2)])
    assert.equal(await reasonOf(it, token), 'subject_token_invalid', token)
  await it.authority.admin.tokens.revoke(operator, root, access)
  assert.equal(await reasonOf(it, access), 'subject_token_invalid')
  const other = await tokenFrom(it.authority, 'scope=invoices:read')
  await it.authority.admin.declared.apply(operator, { tenants: [{ id: 'acme', name: 'Acme', ...wanted }] })
  assert.equal(await reasonOf(it, other, {}, { tenant: 'acme' as TenantId }), 'subject_token_invalid')
})

test('a client without the grant, without a row or without its secret exchanges nothing', async () => {
  const { it, access } = await granted()
  assert.equal(await reasonOf(it, access, {}, { as: 'svc' }), 'grant_type_not_allowed')
  assert.equal(await reasonOf(it, access, { resource: api }, { as: 'next' }), 'exchange_not_allowed')
  const wrong = await it.authority.token({
    ...asking(`grant_type=${grantType}&subject_token=x`, { as: 'backend', secret: 'x' }),
  })
  assert.ok(wrong.kind === 'error' && wrong.error.reason === 'client_unauthenticated')
})

test('a scope is narrowed at the same API and never widened', async () => {
  const { it, access } = await granted()
  const narrow = tokenIn(await exchanged(it, access, { scope: 'invoices:read' }))
  assert.equal(decodeJwt(narrow)['scope'], 'invoices:read')
  assert.equal(await reasonOf(it, narrow, { scope: 'invoices:write' }), 'scope_exceeds_exchange')
  assert.equal(await reasonOf(it, access, { resource: files, scope: 'invoices:read' }), 'scope_exceeds_exchange')
})

test('a right to administer is exchanged by a row that names it, and by no other', async () => {
  const it = await openDeployment()
  const issuer = 'https://as.example'
  const rights = 'admin:keys:read events:report'
  const clients = [
    machine('robot', rights),
    backend('open', [{ audience: issuer, as: 'impersonate' }]),
    backend('named', [{ audience: issuer, scopes: ['admin:keys:read'], as: 'impersonate' }]),
  ]
  await declare(it, { ...wanted, clients })
  const token = await tokenFrom(it.authority, `scope=${encodeURIComponent(rights)}`, { as: 'robot' })
  assert.equal(await reasonOf(it, token, {}, { as: 'open' }), 'scope_missing')
  assert.equal(await reasonOf(it, token, { scope: 'admin:keys:read' }, { as: 'open' }), 'scope_exceeds_exchange')
  assert.equal((await exchanged(it, token, {}, { as: 'named' }))['scope'], 'admin:keys:read')
})

test('the token of a client is exchanged in its own name', async () => {
  const { it } = await granted()
  const own = await tokenFrom(it.authority, 'scope=invoices:read')
  const claims = decodeJwt(tokenIn(await exchanged(it, own, { resource: files })))
  assert.deepEqual([claims.sub, claims['act']], ['svc', { sub: 'backend' }])
})

for (const database of databases) {
  test(`${database}: what a client’s own token was exchanged for ends with that client, at once and everywhere`, async () => {
    const { it } = await granted(database)
    const [service] = declaration.clients as readonly JsonObject[]
    const { clients } = it.authority.admin
    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      disabled: () => declare(it, { clients: [{ ...service, disabled: true }] }),
      removed: () => clients.remove(operator, root, 'svc'),
    }
    const validator = validatorOf(it, [root])
    for (const [how, end] of Object.entries(ends)) {
      await declare(it, { clients: [{ ...service, disabled: false }] })
      it.clock += 2_000
      const own = await tokenFrom(it.authority, 'scope=invoices:read')
      const here = tokenIn(await exchanged(it, own, { resource: api }))
      const opaque = tokenIn(await exchanged(it, own, { resource: 'https://opaque.example' }))
      const states = async () => {
        await validator.catchUp()
        return [
          await isActive(it.authority, here, { as: 'api' }),
          await isActive(it.authority, opaque, { as: 'backend' }),
          await validator.accepts(here),
        ]
      }
      assert.deepEqual(await states(), [true, true, true], how)
      await end()
      assert.deepEqual(await states(), [false, false, false], how)
      await declare(it, { clients: [{ ...service, disabled: false }] })
      assert.deepEqual(await states(), [false, false, false], `${how}, and made again`)
    }
    await validator.close()
  })
}

test('RFC 8693 §2.1: the person of an actor’s token lends the new token and its event nothing but the name in act', async () => {
  const { it, access } = await granted()
  const own = await tokenFrom(it.authority, 'scope=invoices:read')
  const acting = { resource: files, actor_token: access, actor_token_type: type }
  const claims = decodeJwt(tokenIn(await exchanged(it, own, acting)))
  assert.deepEqual([claims.sub, claims['act']], ['svc', { sub: decodeJwt(access).sub }])
  const issued = await eventOf(it)
  assert.deepEqual([issued.name, issued.subject], ['token.issued', 'svc'])
})

test('every exchange is an event that names both parties', async () => {
  const { it, access } = await granted()
  await exchanged(it, access, { resource: files })
  const text = JSON.stringify(await eventOf(it))
  assert.match(text, new RegExp(`"exchanged":"${String(decodeJwt(access).jti)}"`))
  assert.match(text, /"exchanged_client":"web"/)
  assert.match(text, /"as":"delegate"/)
})

const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'
const refreshType = 'urn:ietf:params:oauth:token-type:refresh_token'

for (const database of databases) {
  test(`${database}: RFC 8693 §2.1: a refresh token is exchanged by no name, neither as subject nor as actor`, async () => {
    const { it, access, refresh } = await granted(database)
    const named = { subject_token_type: refreshType, resource: files }
    for (const token of [refresh, access])
      assert.equal(await reasonOf(it, token, named), 'token_type_not_exchanged', 'whatever it is')
    const asked = { resource: files, requested_token_type: refreshType }
    assert.equal(await reasonOf(it, access, asked), 'token_type_not_exchanged', 'nor is one given')
    const acting = (kind: string) => ({ resource: files, actor_token: refresh, actor_token_type: kind })
    assert.equal(await reasonOf(it, access, acting(type)), 'actor_token_invalid')
    assert.equal(await reasonOf(it, access, acting(refreshType)), 'token_type_not_exchanged')
    assert.equal(await reasonOf(it, refresh, { subject_token_type: idTokenType }), 'subject_token_invalid')
    // It was looked at, not used.
    const refreshed = await it.authority.token(
      asking(`grant_type=refresh_token&refresh_token=${refresh}`, { as: 'web' }),
    )
    assert.equal(refreshed.kind, 'ok', JSON.stringify(refreshed))
  })

  test(`${database}: RFC 8693 §2.2.2: what another tenant issued counts for nobody here, as subject or as actor`, async () => {
    const { it, access } = await granted(database)
    await it.authority.admin.declared.apply(operator, { tenants: [{ id: 'acme', name: 'Acme', ...wanted }] })
    const acme = { tenant: 'acme' as TenantId }
    assert.equal(await reasonOf(it, access, { resource: files }, acme), 'subject_token_invalid')
    const theirs = await it.authority.token({
      ...asking('grant_type=client_credentials&scope=invoices:read'),
      ...acme,
    })
    assert.ok(theirs.kind === 'ok', JSON.stringify(theirs))
    const foreign = theirs.value['access_token'] as string
    assert.equal(await reasonOf(it, foreign, { resource: files }), 'subject_token_invalid')
    const acting = { resource: files, actor_token: foreign, actor_token_type: type }
    assert.equal(await reasonOf(it, access, acting), 'actor_token_invalid')
    const revoked = await tokenFrom(it.authority, 'scope=invoices:read')
    await it.authority.admin.tokens.revoke(operator, root, revoked)
    assert.equal(await reasonOf(it, access, { ...acting, actor_token: revoked }), 'actor_token_invalid')
  })

  test(`${database}: RFC 8693 §4.1: going round between two clients ends after four, and never lives longer`, async () => {
    const { it, access } = await granted(database)
    let token = access
    const end = decodeJwt(access).exp
    const rounds: string[] = []
    for (let n = 0; n < 6; n++) {
      it.clock += 10_000
      const answer = await exchange(it, token, { resource: files }, { as: n % 2 === 0 ? 'backend' : 'next' })
      rounds.push(answer.kind === 'ok' ? 'ok' : answer.error.reason)
      if (answer.kind === 'error') break
      token = tokenIn(answer.value)
      assert.ok((decodeJwt(token).exp ?? Infinity) <= (end ?? 0))
    }
    assert.deepEqual(rounds, ['ok', 'ok', 'ok', 'ok', 'actors_too_many'])
  })

  test(`${database}: an exchange that races with the end of its grant leaves nothing that lives`, async () => {
    const { it, access, refresh } = await granted(database)
    const other = it.node()
    const racing = Array.from({ length: 8 }, (_, n) =>
      (n % 2 === 0 ? it.authority : other).token(
        asking(
          String(
            new URLSearchParams({
              grant_type: grantType,
              subject_token: access,
              subject_token_type: type,
              resource: files,
            }),
          ),
          { as: 'backend' },
        ),
      ),
    )
    const [ended, ...answers] = await Promise.all([
      it.authority.revoke(asking(`token=${refresh}`, { as: 'web' })),
      ...racing,
    ])
    assert.equal(ended.kind, 'ok')
    for (const answer of answers)
      if (answer.kind === 'ok') assert.ok(!(await isActive(it.authority, tokenIn(answer.value), { as: 'files-api' })))
      else assert.equal(answer.error.reason, 'subject_token_invalid')
  })
}
