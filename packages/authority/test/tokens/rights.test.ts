/** Over random sequences of everything people, clients and operators do, no token ever holds a right that it must not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import fc from 'fast-check'
import {
  api,
  asking,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import {
  answerOf,
  authorizeQuery,
  PersonAtBrowser,
  redemption,
  redirectUri,
  refreshing,
  type Shown,
} from '../support/person.ts'

const scopes = ['invoices:read', 'invoices:write', 'invoices:delete', 'invoices:share'] as const
const optional: ReadonlySet<string> = new Set(['invoices:write', 'invoices:share'])
const passwords = { alice: 'correct-horse', bob: 'battery-staple' } as const
type Name = keyof typeof passwords
type Words = ReadonlySet<string>

const declaration = (registered: Words): JsonObject => ({
  resources: [{ identifier: api, name: 'Invoices API' }],
  scopes: scopes.map((name) => ({
    name,
    description: name,
    resource: api,
    mode: optional.has(name) ? 'optional' : 'default',
  })),
  clients: [
    {
      ...machine('web', [...registered].join(' ')),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
    },
  ],
})

/** What the test knows of a grant: only what it saw from outside. */
interface Held {
  readonly who: Name
  readonly requested: Words
  readonly approved: Words
  code: string | null
  readonly access: string[]
  /** Oldest first; the last is the one that may be used. */
  readonly refresh: string[]
  /** 'unknown': its person was disabled in between. */
  state: 'alive' | 'dead' | 'unknown'
}

interface World {
  readonly deployment: Deployment
  readonly people: Readonly<Record<Name, PersonAtBrowser>>
  readonly consented: Record<Name, Words>
  readonly disabled: Set<Name>
  readonly grants: Held[]
  registered: Words
}

type Act = (world: World) => Promise<void>

/** A counterexample reads as a list of what was done. */
const told = (says: string, does: Act) => ({ does, [fc.toStringMethod]: () => says })
/** Nothing at all is a right, too: everything that was asked could be left out. */
const wordsOf = (scope: string): Words => new Set(scope.split(' ').filter((word) => word !== ''))
const list = (them: Words | null): string => (them === null ? '' : [...them].join(' '))

async function openWorld(): Promise<World> {
  const deployment = await openDeployment()
  await declare(deployment, {
    ...declaration(new Set(scopes)),
    users: Object.entries(passwords).map(([username, password]) => ({ username, password })),
  })
  const person = () => new PersonAtBrowser(deployment.authority)
  return {
    deployment,
    people: { alice: person(), bob: person() },
    consented: { alice: new Set(), bob: new Set() },
    disabled: new Set(),
    grants: [],
    registered: new Set(scopes),
  }
}

interface Asking {
  readonly who: Name
  readonly wanted: Words
  readonly ticked: Words
  readonly afresh: boolean
  readonly allow: boolean
}

/** Asks, signs in where needed, answers the question, and keeps the code for later. */
const authorize =
  ({ who, wanted, ticked, afresh, allow }: Asking): Act =>
  async (world) => {
    const person = world.people[who]
    const prompt = afresh ? { prompt: 'consent' } : {}
    let shown: Shown = await person.begin(authorizeQuery({ scope: [...wanted].join(' '), ...prompt }))
    if (!wanted.isSubsetOf(world.registered)) {
      assert.equal(answerOf(shown).get('error'), 'invalid_scope')
      return
    }
    if (shown.go === 'login') shown = await person.signIn(who, passwords[who])
    if (world.disabled.has(who)) return assert.equal(shown.go, 'login')
    const before = afresh ? new Set<string>() : world.consented[who]
    let approved: Words = wanted
    if (shown.go === 'consent') {
      if (!allow) return assert.equal(answerOf(await person.deny()).get('error'), 'access_denied')
      approved = wanted.difference(optional.difference(ticked).difference(before))
      world.consented[who] = world.consented[who].union(approved)
      shown = await person.allow(...ticked)
    } else assert.ok(!afresh && wanted.isSubsetOf(before), 'only what was consented before is not asked')
    const code = answerOf(shown).get('code')
    assert.ok(code)
    world.grants.push({ who, requested: wanted, approved, code, access: [], refresh: [], state: 'alive' })
  }

interface TokenBody {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

/** Presents something at the token endpoint; what comes back must be within bounds, or nothing comes back. */
async function present(world: World, held: Held, body: string): Promise<TokenBody | null> {
  const answer = await world.deployment.authority.token(asking(body, { as: 'web' }))
  if (answer.kind === 'error') return null
  const given = answer.value as JsonObject & TokenBody
  const rights = wordsOf(given.scope)
  const bound = held.approved.intersection(held.requested).intersection(world.registered)
  assert.ok(rights.isSubsetOf(bound), `${given.scope} is more than ${[...bound].join(' ')}`)
  assert.notEqual(held.state, 'dead', 'a dead grant issues nothing')
  assert.equal(world.disabled.has(held.who), false, 'a disabled person is given nothing')
  const claims = JSON.parse(Buffer.from(given.access_token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject
  assert.equal(claims['scope'] ?? '', given.scope, 'the token says what the answer says')
  held.access.push(given.access_token)
  return given
}

/** One of the grants that have had so many refresh tokens. */
function pick(grants: readonly Held[], n: number, least: number): Held | undefined {
  const fit = grants.filter((held) => held.refresh.length >= least)
  return fit[n % fit.length]
}

const redeem =
  (n: number): Act =>
  async (world) => {
    const waiting = world.grants.filter((it) => it.code !== null)
    const held = waiting[n % waiting.length]
    if (held === undefined || held.code === null) return
    const given = await present(world, held, redemption(held.code))
    if (given === null) return
    held.code = null
    held.refresh.push(given.refresh_token)
    assert.ok(await isActive(world.deployment.authority, given.access_token, { as: 'web' }))
  }

const refresh =
  (n: number, narrow: Words | null): Act =>
  async (world) => {
    const held = pick(world.grants, n, 1)
    const current = held?.refresh.at(-1)
    if (held === undefined || current === undefined) return
    const wish = narrow === null ? {} : { scope: [...narrow].join(' ') }
    const given = await present(world, held, refreshing(current, wish))
    if (given === null) return
    assert.notEqual(given.refresh_token, current)
    if (narrow !== null) assert.ok(wordsOf(given.scope).isSubsetOf(narrow))
    held.refresh.push(given.refresh_token)
  }

/** The answer was lost: the token before the current one is presented once more, at once. */
const retry =
  (n: number): Act =>
  async (world) => {
    const held = pick(world.grants, n, 2)
    const previous = held?.refresh.at(-2)
    if (held === undefined || previous === undefined) return
    const given = await present(world, held, refreshing(previous))
    if (given === null) held.state = held.state === 'alive' ? 'unknown' : held.state
    else assert.equal(given.refresh_token, held.refresh.at(-1), 'one successor')
  }

/** Somebody kept an old token, and uses it when its time is over. */
const replay =
  (n: number): Act =>
  async (world) => {
    const held = pick(world.grants, n, 2)
    const old = held?.refresh.at(-2)
    if (held === undefined || old === undefined) return
    world.deployment.clock += 61_000
    assert.equal(await present(world, held, refreshing(old)), null)
    if (!world.disabled.has(held.who)) held.state = 'dead'
  }

const revoke =
  (n: number): Act =>
  async (world) => {
    const held = pick(world.grants, n, 1)
    const current = held?.refresh.at(-1)
    if (held === undefined || current === undefined) return
    const answer = await world.deployment.authority.revoke(asking(`token=${current}`, { as: 'web' }))
    assert.ok(answer.kind === 'ok')
    held.state = 'dead'
  }

const withdraw =
  (who: Name): Act =>
  async ({ deployment, people, consented, grants }) => {
    const visitor = people[who].visitor()
    const [account] = await deployment.authority.browser.accounts(visitor)
    if (account === undefined) return
    await deployment.authority.browser.account.disconnect('web', account, visitor)
    consented[who] = new Set()
    for (const held of grants) if (held.who === who) held.state = 'dead'
  }

const disable =
  (who: Name, disabled: boolean): Act =>
  async (world) => {
    const outcome = await world.deployment.authority.admin.users.setDisabled(operator, root, {
      username: who,
      disabled,
    })
    assert.ok(outcome.kind === 'ok')
    if (disabled) world.disabled.add(who)
    else world.disabled.delete(who)
    for (const held of world.grants) if (held.who === who && held.state === 'alive') held.state = 'unknown'
  }

const register =
  (registered: Words): Act =>
  async (world) => {
    await declare(world.deployment, declaration(registered))
    world.registered = registered
  }

/** Holds after every act. */
async function check({ deployment, grants, disabled }: World): Promise<void> {
  for (const held of grants) {
    const rows = await Promise.all(
      held.refresh.map((token) => deployment.store.grants.refresh(root, deployment.ports.ids.handleOf(token))),
    )
    assert.ok(rows.filter((row) => row?.spentAt === null).length <= 1, 'at most one refresh token of a grant lives')
    if (held.state !== 'dead' && !disabled.has(held.who)) continue
    for (const token of [...held.access, ...held.refresh]) {
      const living = await isActive(deployment.authority, token, { as: 'web' })
      assert.equal(living, false, `${token.slice(0, 3)} of ${held.who} is alive; its grant is ${held.state}`)
    }
  }
}

const name = fc.constantFrom<Name>('alice', 'bob')
const words = (least: number): fc.Arbitrary<Words> =>
  fc.subarray([...scopes], { minLength: least }).map((them) => new Set<string>(them))
const n = fc.nat(20)
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ who: name, wanted: words(1), ticked: words(0), afresh: fc.boolean(), patience: fc.nat(9) })
      .map(({ patience, ...it }) => {
        const says = `${it.who} is asked for ${list(it.wanted)}, ticks ${list(it.ticked)}${it.afresh ? ', afresh' : ''}`
        return told(says, authorize({ ...it, allow: patience > 0 }))
      }),
  },
  { weight: 6, arbitrary: n.map((i) => told(`redeem ${i}`, redeem(i))) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(n, fc.option(words(1), { freq: 1 }))
      .map(([i, to]) => told(`refresh ${i} ${list(to)}`, refresh(i, to))),
  },
  { weight: 2, arbitrary: n.map((i) => told(`retry ${i}`, retry(i))) },
  { weight: 1, arbitrary: n.map((i) => told(`replay ${i}`, replay(i))) },
  { weight: 1, arbitrary: n.map((i) => told(`revoke ${i}`, revoke(i))) },
  { weight: 1, arbitrary: name.map((who) => told(`${who} withdraws`, withdraw(who))) },
  {
    weight: 1,
    arbitrary: fc.tuple(name, fc.boolean()).map(([who, off]) => told(`disable ${who}: ${off}`, disable(who, off))),
  },
  { weight: 1, arbitrary: words(2).map((it) => told(`register ${list(it)}`, register(it))) },
)

test('the rights of every token are within consented, registered and requested; one refresh token; nothing after revoke', async () => {
  const issued = { tokens: 0, refreshed: 0, dead: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 50, size: 'max' }), async (acts) => {
      const world = await openWorld()
      for (const { does } of acts) {
        world.deployment.clock += 1_000
        await does(world)
        await check(world)
      }
      for (const held of world.grants) {
        issued.tokens += held.access.length
        issued.refreshed += Math.max(0, held.refresh.length - 1)
        issued.dead += held.state === 'dead' ? 1 : 0
      }
    }),
    { numRuns: 10, endOnFailure: true },
  )
  // A walk that never got anywhere would prove nothing.
  assert.ok(issued.tokens > 20 && issued.refreshed > 5 && issued.dead > 2, JSON.stringify(issued))
})
