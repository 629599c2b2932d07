/** What people sign in with: when they may change it, how much of it there can be, and what the log is told. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { totpCode, totpStep } from '@grantor/protocol/people'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { openAccountFactors } from '../../src/account/sign-in-methods.ts'
import { offeredTotp, offerTotp } from '../../src/factors/codes.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000
const recently = defaultPolicy.recentSignIn * 1000
const person = { tenant: root, id: 'alice', username: 'alice', passwordChangedAt: 5 }
const visitor = { tenant: root, browser: 'gb_x', ip: '192.0.2.1', traceId: null } as never
const account = (at = now, acr = 'urn:grantor:acr:1fa') =>
  ({ person, authentication: { at, acr, amr: ['pwd'] }, session: { browser: 'b', expiresAt: now } }) as never

interface World {
  readonly otp?: boolean
  readonly passkeys?: number
  readonly throttled?: boolean
  /** What the store says of every change. */
  readonly outcome?: string
}

function world({ otp = false, passkeys = 0, throttled = false, outcome = 'added' }: World = {}) {
  const done: { readonly what: string; readonly row: JsonObject; readonly events: readonly JsonObject[] }[] = []
  const given: unknown[] = []
  let clock = now
  const kept =
    (what: string) =>
    async (row: JsonObject, ...rest: readonly unknown[]) => {
      done.push({ what, row, events: rest.at(-1) as readonly JsonObject[] })
      return outcome
    }
  const deps = {
    clock: { now: () => clock as Instant, margin: 0, until: () => Promise.resolve() },
    policy: defaultPolicy,
    ids: { id: () => 'id', handleOf: (text: string) => text, salt: () => Buffer.alloc(32, 7) },
    issuers: { issuerOf: () => 'https://as.example' },
    directory: {
      currentCatalogue: async () => ({
        tenant: { disabledAt: null, providers: [{ id: 'corp' }, { id: 'off', disabled: true }] },
      }),
    },
    limits: {
      takeAll: async () => ({
        decisions: [],
        refused: throttled ? { allowed: false, wait: 1, effectiveWindow: 9 } : null,
      }),
      giveBack: async (keys: unknown) => void given.push(keys),
    },
    vault: {
      seal: (plain: Uint8Array, context: string) => Buffer.concat([Buffer.from(`${context}|`), plain]),
      open: (sealed: Uint8Array, context: string) => {
        const label = Buffer.from(`${context}|`)
        const bytes = Buffer.from(sealed)
        return bytes.subarray(0, label.length).equals(label) ? bytes.subarray(label.length) : null
      },
    },
    store: {
      factors: {
        of: async () => ({ otp, passkey: passkeys > 0, recoveryCodes: 3 }),
        totp: async () => (otp ? { createdAt: 1, lastUsedAt: 2, sealedSecret: 'x' } : null),
        passkeys: async () => Array.from({ length: passkeys }, (_, n) => ({ id: `k${n}` })),
        browsers: async () => [now - 1, now, now + 1].map((expiresAt) => ({ id: `b${expiresAt - now}`, expiresAt })),
        addTotp: kept('addTotp'),
        addPasskey: kept('addPasskey'),
        remove: kept('remove'),
        replaceRecoveryCodes: kept('replaceRecoveryCodes'),
        forgetBrowser: kept('forgetBrowser'),
      },
    },
  } as never
  return { deps, done, given, factors: openAccountFactors(deps), later: (by: number) => void (clock += by) }
}

const briefly = (events: readonly JsonObject[] | undefined) =>
  events?.map(({ name, subject, actor, data }) => [name, subject, actor, data])
const by = { kind: 'user', id: 'alice' }

describe('what people sign in with', () => {
  test('is changed shortly after a sign-in, to the very instant, that was as strong as theirs can be', async () => {
    const may = async (of: World, at: number, acr?: string) => world(of).factors.mayChange(account(at, acr))
    assert.deepEqual([await may({}, now - recently), await may({}, now - recently - 1)], [true, false])
    assert.deepEqual([await may({ otp: true }, now), await may({ passkeys: 1 }, now)], [false, false])
    assert.equal(await may({ otp: true }, now, 'urn:grantor:acr:2fa'), true)
    assert.equal(await may({ otp: true }, now - recently - 1, 'urn:grantor:acr:2fa'), false)
  })

  test('is shown with the browsers that are trusted still, and without any secret', async () => {
    const none = await world().factors.methods(account())
    assert.deepEqual(none, {
      factors: { otp: false, passkey: false, recoveryCodes: 3 },
      passkeys: [],
      totp: null,
      browsers: [{ id: 'b1', expiresAt: now + 1 }],
      mayChange: true,
    })
    const some = await world({ otp: true, passkeys: 2 }).factors.methods(account())
    assert.deepEqual([some.totp, some.passkeys.length, some.mayChange], [{ createdAt: 1, lastUsedAt: 2 }, 2, false])
  })

  test('are twenty passkeys at most', async () => {
    const add = async (passkeys: number, at = now) =>
      (await world({ passkeys }).factors.addPasskey(account(at, 'phr'), { answer: 'x', name: 'x' }, visitor)).did
    assert.deepEqual([await add(19), await add(20), await add(20, 0)], ['refused', 'full', 'stale'])
  })

  test('recovery codes are replaced all together, which is told; who was outrun looks again', async () => {
    const it = world({ outcome: 'replaced' })
    const codes = await it.factors.newRecoveryCodes(account(), visitor)
    assert.equal(codes.length, 10)
    const [only] = it.done
    const { handles, ...set } = only?.row ?? {}
    assert.equal((handles as readonly string[]).length, 10)
    assert.deepEqual(set, { tenant: root, subject: 'alice', passwordSeen: 5, at: now })
    assert.deepEqual(briefly(only?.events), [['factor.added', 'alice', by, { factor: 'recovery_codes' }]])
    assert.equal(await world({ outcome: 'outdated' }).factors.newRecoveryCodes(account(), visitor), 'stale')
    const stale = world({ outcome: 'replaced' })
    assert.equal(await stale.factors.newRecoveryCodes(account(0), visitor), 'stale')
    assert.deepEqual(stale.done, [])
  })

  test('is removed by name, in sight of the providers that are served, and told', async () => {
    for (const [what, factor] of [
      ['totp', 'totp'],
      [{ passkey: 'k0' }, 'passkey'],
    ] as const) {
      const it = world({ outcome: 'removed' })
      assert.equal(await it.factors.remove(account(), what, visitor), 'removed')
      assert.deepEqual(it.done[0]?.row, { tenant: root, subject: 'alice', what, served: ['corp'] })
      assert.deepEqual(briefly(it.done[0]?.events), [['factor.removed', 'alice', by, { factor }]])
    }
    const stale = world({ otp: true })
    assert.equal(await stale.factors.remove(account(), 'totp', visitor), 'stale')
    assert.deepEqual(stale.done, [])
  })

  test('a browser is forgotten by whoever is signed in, however long ago', async () => {
    const it = world()
    await it.factors.forgetBrowser(account(0), 'b1', visitor)
    assert.deepEqual(it.done[0]?.row, { tenant: root, subject: 'alice', id: 'b1' })
    assert.deepEqual(briefly(it.done[0]?.events), [['browser.forgotten', 'alice', by, { browser: 'b1' }]])
  })
})

describe('an app for codes', () => {
  const enrol = async (it: ReturnType<typeof world>, otp?: string, at = now) => {
    const offer = it.factors.offerTotp(account())
    const code = otp ?? totpCode(offer.secret, totpStep(now as Instant))
    return it.factors.addTotp(account(at, 'urn:grantor:acr:2fa'), { sealed: offer.sealed, otp: code }, visitor)
  }

  test('is kept with the step of the code that confirmed it; a second one brings no new recovery codes', async () => {
    const it = world({ otp: true })
    assert.deepEqual(await enrol(it), { did: 'added', codes: null, cookies: null })
    const { sealedSecret, ...row } = it.done[0]?.row ?? {}
    assert.ok(
      Buffer.from(sealedSecret as never)
        .toString('latin1')
        .startsWith('totp default alice|'),
    )
    const step = totpStep(now as Instant)
    const kept = { tenant: root, subject: 'alice', lastStep: step, createdAt: now, lastUsedAt: null, passwordSeen: 5 }
    assert.deepEqual(row, kept)
    assert.deepEqual(briefly(it.done[0]?.events), [['factor.added', 'alice', by, { factor: 'totp' }]])
    assert.deepEqual(it.given, [[['loginBrowser', 'default alice b']]], 'a right code is no guess')
  })

  test('a wrong code, one guess too many and an old sign-in keep nothing; who was outrun is told so', async () => {
    for (const [of, otp, at, did] of [
      [{}, 'wrong', now, 'refused'],
      [{ throttled: true }, undefined, now, 'refused'],
      [{}, undefined, 0, 'stale'],
    ] as const) {
      const it = world(of)
      assert.deepEqual([(await enrol(it, otp, at)).did, it.done, it.given], [did, [], []])
    }
    assert.equal((await enrol(world({ outcome: 'exists' }))).did, 'exists')
    assert.equal((await enrol(world({ outcome: 'outdated' }))).did, 'outrun')
  })

  test('RFC 6238 §5.1: an offer has twenty bytes, is good for ten minutes to either side, and for its person alone', () => {
    const it = world()
    const { secret, sealed } = offerTotp(person as never, it.deps)
    assert.deepEqual(secret, Buffer.alloc(20, 7))
    const open = (of: object = person, text = sealed) => offeredTotp(of as never, text, it.deps)
    assert.deepEqual(open(), { secret, sealed })
    assert.equal(open({ ...person, id: 'bob' }), null)
    assert.equal(open({ ...person, tenant: 'acme' }), null)
    const ttl = defaultPolicy.interactionTtl * 1000
    it.later(ttl)
    assert.ok(open())
    it.later(1)
    assert.equal(open(), null)
    it.later(-2 * ttl - 1)
    assert.ok(open(), 'a clock that was set back')
    it.later(-1)
    assert.equal(open(), null)
  })

  test('what is no offer is none, however it is sealed', () => {
    const it = world()
    const sealed = (bytes: number) =>
      Buffer.concat([Buffer.from('totp offer default alice|'), Buffer.alloc(bytes)]).toString('base64url')
    for (const bytes of [27, 29, 0, 2000]) assert.equal(offeredTotp(person as never, sealed(bytes), it.deps), null)
  })
})
