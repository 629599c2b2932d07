/** Every operation of the admin API, by administrators of each kind of one tenant, at what belongs to another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import { administratorKinds } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import { openConsoleClients } from '../../src/console-client.ts'
import { type FeedDeployment, machine, operator, redirectUri, startFeedDeployment } from '../feed/feed-deployment.ts'
import { itemsIn } from './admin-deployment.ts'
import { type ConsoleSession, consoleAnswer, consoleSession } from './console-session.ts'

const password = 'battery-horse-staple'
const scopes = builtInScopes.map(({ name }) => name).filter((name) => name.startsWith('admin:'))
const scope = scopes.join(' ')
const only = 'https://only-here.example'

/** What each kind may hold, said here once more: a slip in the rule must not move the expectation along. */
const mayHold: Readonly<Record<(typeof administratorKinds)[number], (scope: string) => boolean>> = {
  owner: () => true,
  operator: (it) => it !== 'admin:tenants:write',
  support: (it) => it.endsWith(':read') || /^admin:(users|grants|sessions):write$/.test(it),
  auditor: (it) => it.endsWith(':read'),
}

type Ask = (path: string) => Promise<readonly { readonly id: string }[]>

/**
 * One row a noun: something of it that is the first tenant's. A noun without a row fails the test. Null where the same
 * ids are in every tenant, and only what they say differs.
 */
const foreign: Readonly<Record<string, ((ask: Ask) => Promise<string>) | null>> = {
  tenants: async () => 'globex',
  clients: async () => 'web',
  resources: async () => only,
  scopes: async () => 'only:here',
  users: (ask) => first(ask('/v1/users?username=alice')),
  consents: (ask) => first(ask('/v1/consents')),
  grants: (ask) => first(ask('/v1/grants')),
  sessions: (ask) => first(ask('/v1/sessions')),
  devices: (ask) => first(ask('/v1/devices')),
  keys: (ask) => first(ask('/v1/keys')),
  'registration-tokens': (ask) => first(ask('/v1/registration-tokens')),
  'api-keys': (ask) => first(ask('/v1/api-keys')),
  events: (ask) => first(ask('/v1/events?limit=1')),
  revocations: (ask) => first(ask('/v1/revocations?limit=1')),
  statistics: null,
  settings: null,
  locks: (ask) => first(ask('/v1/locks')),
  mails: null,
  webhooks: (ask) => first(ask('/v1/webhooks')),
  streams: (ask) => first(ask('/v1/streams')),
  roles: (ask) => first(ask('/v1/roles')),
  groups: (ask) => first(ask('/v1/groups')),
  providers: async () => 'corp',
  operations: null,
}

const first = async (items: Promise<readonly { readonly id: string }[]>): Promise<string> => {
  const [item] = await items
  assert.ok(item !== undefined, 'there is one to be hidden')
  return item.id
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly noun: string
  /** Any of these is enough. */
  readonly scopes: readonly (readonly string[])[]
}

/** As the description of the API has them: what is served without being described is found by other tests. */
async function operationsOf(it: FeedDeployment): Promise<readonly Operation[]> {
  const { paths } = (await it.ask('/t/acme/openapi.json')).json() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { security?: Record<string, string[]>[] }>>>>
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, { security = [] }]) => ({
        method: method.toUpperCase(),
        path,
        noun: path.split('/')[2] ?? '',
        scopes: security
          .map((it) => Object.values(it).flat())
          .filter((all) => all.some((name) => name.startsWith('admin:'))),
      })),
  )
}

async function deployment(): Promise<FeedDeployment> {
  const it = await startFeedDeployment('sqlite', { GRANTOR_LIMIT_TOKEN_FAILURES: '2/1h' })
  const { admin } = it.deployment.authority
  const applied = await admin.declared.apply(operator, {
    resources: [{ identifier: only, name: 'Only here' }],
    scopes: [{ name: 'only:here', description: 'Only here', resource: only }],
    clients: [machine('robot', scope), machine('keyed', 'only:here'), machine('listener', 'ssf.manage')],
    roles: [{ name: 'keeper', description: 'Keeps', resource: only, scopes: ['only:here'] }],
    groups: [{ name: 'Keepers', roles: ['keeper'] }],
    providers: [
      {
        id: 'corp',
        kind: 'oidc',
        name: 'Corp',
        issuer: 'https://corp.example',
        client_id: 'us',
        client_secret: 'x'.repeat(40),
      },
    ],
    tenants: [
      { id: 'acme', users: administratorKinds.map((kind) => ({ username: kind, password, administrator: kind })) },
    ],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  await openConsoleClients(it.deployment).ensure('acme' as TenantId)
  const client = { id: 'web', redirectUri }
  await consoleAnswer(it, { username: 'alice', password: 'correct-horse', scope: 'openid', client })
  await it.ask('/device_authorization', { form: { client_id: 'grantor-cli', scope: 'openid' } })
  const root = 'default' as TenantId
  await it.post('/revoke', 'other', { token: await it.token('other') })
  await lockOut(it)
  await admin.registrationTokens.create(operator, root, { uses: 1, expiresIn: null })
  const key = { name: 'key', clientId: 'keyed', resource: only, scope: null, addresses: [], expiresAt: null }
  const made = await admin.apiKeys.create(operator, root, key)
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  const hook = { url: 'https://hooks.example/', events: ['client.*'] }
  assert.equal((await admin.webhooks.create(operator, root, hook)).kind, 'ok')
  const poll = { delivery: { method: 'urn:ietf:rfc:8936' } }
  const signals = { Authorization: `Bearer ${await it.token('listener', { scope: 'ssf.manage' })}` }
  assert.equal((await it.ask('/ssf/streams', { json: poll, headers: signals })).status, 201)
  return it
}

/** Guesses at a client's secret until the limit is reached. */
async function lockOut(it: FeedDeployment): Promise<void> {
  for (let n = 0; n < 3; n += 1)
    await it.ask('/token', { form: { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'wrong' } })
}

test('administrators of a tenant find and change nothing of another, and do no more than their kind may', async () => {
  await using it = await deployment()
  const token = await it.token('robot', { scope })
  const atRoot = (path: string) => it.ask(path, { headers: { authorization: `Bearer ${token}` } })
  const operations = await operationsOf(it)
  const nouns = new Set(operations.filter(({ scopes }) => scopes.length > 0).map(({ noun }) => noun))
  assert.deepEqual(
    [...nouns].filter((noun) => !Object.hasOwn(foreign, noun)),
    [],
    'every noun of the API has a row',
  )
  const ids = new Map<string, string>()
  for (const [noun, find] of Object.entries(foreign))
    if (find !== null) ids.set(noun, await find(async (path) => itemsIn(await atRoot(path))))
  const seen = async () =>
    Promise.all([...ids].map(async ([noun, id]) => (await atRoot(`/v1/${noun}/${encodeURIComponent(id)}`)).status))
  const before = await seen()
  assert.deepEqual(
    before,
    before.map(() => 200),
  )
  let tried = 0
  for (const kind of administratorKinds) {
    const session = await consoleSession(it, { username: kind, password, scope, tenant: 'acme' })
    for (const operation of operations) {
      const id = ids.get(operation.noun) ?? null
      if (operation.scopes.length === 0) continue
      await attempt(session, operation, { kind, id })
      tried++
    }
  }
  assert.ok(tried > 100, `${tried} were tried`)
  assert.deepEqual(await seen(), before, 'all of it is still there')
})

async function attempt(
  session: ConsoleSession,
  { method, path, scopes: needed }: Operation,
  { kind, id }: { readonly kind: (typeof administratorKinds)[number]; readonly id: string | null },
): Promise<void> {
  const address = path.replace('{id}', encodeURIComponent(id ?? 'none'))
  const sends = method !== 'GET' && method !== 'DELETE'
  const answer = await session.call(address, { method, ...(sends ? { json: {} } : {}) })
  const what = `${kind}: ${method} ${path} ${answer.status} ${answer.body.slice(0, 300)}`
  if (!needed.some((all) => all.every((name) => mayHold[kind](name)))) {
    assert.deepEqual([answer.status, answer.json()['code']], [401, 'insufficient_scope'], what)
    return
  }
  assert.ok(answer.status < 500, what)
  // Neither found nor taken: an id that is free here may be refused for what is sent with it.
  if (path.includes('{id}')) assert.ok([400, 403, 404].includes(answer.status), what)
  else if (method === 'GET' && path.split('/').length === 3) {
    assert.equal(answer.status, 200, what)
    const items = answer.json()['items'] as readonly { readonly id: string }[]
    assert.ok(!items.some((item) => item.id === id), what)
  }
}
