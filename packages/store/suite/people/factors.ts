/** What people sign in with beside the password: kept whole, used once, gone with what it hangs on. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Handle } from '@grantor/protocol/types'
import type { Store } from '../../src/contract/store.ts'
import { race } from '../races.ts'
import { acme, at, change, event, handle, key, other, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'
import { challenge, codes, enrolled, passkey, remembered, totp } from './factor-samples.ts'

const ada = { tenant: acme, subject: 'ada' }
const everything = { otp: true, passkey: true, recoveryCodes: 2 }
const nothing = { otp: false, passkey: false, recoveryCodes: 0 }

async function tenantWithAda(store: Store): Promise<void> {
  await store.directory.apply([change()])
  await store.users.create(user('ada'), [])
  await enrolled(store)
}

export function factorSuite(open: OpenEngine): void {
  storeTest(
    open,
    'a factor that rests on a password which is another by now, or on somebody disabled, is not kept',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada', { passwordChangedAt: at(1_000) }), [])
      await store.users.create(user('gone', { disabledAt: at(1_000) }), [])
      const added = [event('factor.added')]
      const adding = {
        passkey: (subject: string, passwordSeen?: number | null) =>
          store.factors.addPasskey(
            {
              ...passkey(`of ${subject}`, { subject }),
              ...(passwordSeen === undefined ? {} : { passwordSeen: passwordSeen as never }),
            },
            codes(subject),
            added,
          ),
        totp: (subject: string, passwordSeen?: number | null) =>
          store.factors.addTotp(
            { ...totp({ subject }), ...(passwordSeen === undefined ? {} : { passwordSeen: passwordSeen as never }) },
            null,
            added,
          ),
      }
      for (const add of [adding.passkey, adding.totp]) {
        for (const seen of [999, null]) equal(await add('ada', seen), 'changed-meanwhile')
        equal(await add('gone', 1_000), 'changed-meanwhile')
        equal(await add('gone'), 'changed-meanwhile')
      }
      deepEqual([await store.factors.of(acme, 'ada'), await store.factors.of(acme, 'gone')], [nothing, nothing])
      equal((await logged(store, acme)).includes('factor.added'), false)
      deepEqual([await adding.passkey('ada', 1_000), await adding.totp('ada', 1_000)], ['added', 'added'])
      equal(await adding.passkey('of another directory', null), 'added')
    },
  )

  storeTest(
    open,
    'recovery codes go with the last factor they stand in for, whatever others have',
    async ({ store }) => {
      for (const tenant of [acme, other]) {
        await store.directory.apply([change({ tenant })])
        for (const id of ['ada', 'bob']) {
          await store.users.create(user(id, { tenant }), [])
          await store.factors.addTotp(totp({ tenant, subject: id }), codes(`${id} a`, `${id} b`), [])
          await store.factors.addPasskey(passkey(`key of ${id}`, { tenant, subject: id }), null, [])
        }
      }
      const left = async (subject = 'ada', tenant = acme) => (await store.factors.of(tenant, subject)).recoveryCodes
      equal(await store.factors.remove({ ...ada, what: 'totp' }, []), 'removed')
      equal(await left(), 2, 'a passkey is left')
      equal(await store.factors.remove({ ...ada, what: { passkey: 'key of ada' } }, []), 'removed')
      deepEqual([await left(), await left('bob'), await left('ada', other)], [0, 2, 2])
      const bob = { tenant: acme, subject: 'bob' }
      equal(await store.factors.remove({ ...bob, what: { passkey: 'key of bob' } }, []), 'removed')
      equal(await left('bob'), 2, 'an app is left')
      equal(await store.factors.remove({ ...bob, what: 'recovery_codes' }, []), 'removed')
      deepEqual(await store.factors.of(acme, 'bob'), { otp: true, passkey: false, recoveryCodes: 0 })
      equal(await store.factors.remove({ ...bob, what: 'recovery_codes' }, []), 'absent')
    },
  )

  storeTest(open, 'what a person enrolled reads back whole, and is nobody else’s', async ({ store }) => {
    await tenantWithAda(store)
    deepEqual(await store.factors.of(acme, 'ada'), everything)
    deepEqual(await store.factors.passkey(acme, 'k1'), passkey('k1'))
    deepEqual(await store.factors.passkeys(acme, 'ada'), [passkey('k1')])
    deepEqual(await store.factors.totp(acme, 'ada'), totp())
    deepEqual(await store.factors.totps(acme, { after: '', limit: 10 }), [totp()])
    deepEqual(await store.factors.totps(acme, { after: 'ada', limit: 10 }), [])
    deepEqual(await store.factors.browser(acme, handle('remembered r1')), remembered('r1'))
    deepEqual(await store.factors.browsers(acme, 'ada'), [remembered('r1')])
    for (const [tenant, subject] of [[other, 'ada'] as const, [acme, 'bob'] as const]) {
      deepEqual(await store.factors.of(tenant, subject), nothing)
      deepEqual(await store.factors.passkeys(tenant, subject), [])
      equal(await store.factors.totp(tenant, subject), null)
      deepEqual(await store.factors.browsers(tenant, subject), [])
    }
    equal(await store.factors.passkey(other, 'k1'), null)
    equal(await store.factors.browser(other, handle('remembered r1')), null)
    deepEqual((await logged(store, acme)).slice(1), ['factor.added', 'factor.added', 'browser.remembered'])
  })

  storeTest(
    open,
    'RFC 6238 §5.2: a step is used once, also over a clock that was ahead and put right',
    async ({ store }) => {
      await tenantWithAda(store)
      const use = (step: number) => store.factors.useTotp({ ...ada, step, createdAt: at(1_000), at: at(5_000) })
      equal(await use(105), 'used')
      for (const step of [220, 221]) equal(await use(step), 'used')
      // Back: nobody is locked out until the last of them has passed, and none of them counts again.
      equal(await use(105), 'already-used')
      equal(await use(100), 'already-used', 'that of the enrolment')
      equal(await use(106), 'used')
      equal(await use(106), 'already-used')
      equal(await use(105), 'already-used')
      for (const step of [220, 221]) equal(await use(step), 'already-used')
      equal(await use(222), 'used')
    },
  )

  storeTest(
    open,
    'neither a second app nor a known credential is added, not even by another person',
    async ({ store }) => {
      await tenantWithAda(store)
      equal(await store.factors.addTotp(totp({ lastStep: 5 }), codes('x'), [event('factor.added')]), 'exists')
      equal(await store.factors.addPasskey(passkey('k1', { subject: 'bob' }), codes('x'), []), 'exists')
      const elsewhere = passkey('k1', { tenant: other, subject: 'bob' })
      equal(await store.factors.addPasskey(elsewhere, codes('x'), []), 'added')
      deepEqual(await store.factors.of(acme, 'ada'), everything)
      deepEqual(await store.factors.of(acme, 'bob'), nothing)
      equal((await logged(store, acme)).filter((name) => name === 'factor.added').length, 2)
    },
  )

  storeTest(
    open,
    'RFC 6238 §5.2: a step is used once, by one of 50 at once, and never one before it',
    async ({ store }) => {
      await tenantWithAda(store)
      const use = (step: number, createdAt = 1_000) =>
        store.factors.useTotp({ ...ada, step, createdAt: at(createdAt), at: at(5_000) })
      equal(await use(100), 'already-used')
      deepEqual(await race(50, () => use(101)), { used: 1, 'already-used': 49 })
      equal(await use(100), 'already-used')
      equal(await use(102, 999), 'already-used')
      deepEqual(await store.factors.totp(acme, 'ada'), totp({ lastStep: 101, lastUsedAt: at(5_000) }))
    },
  )

  storeTest(open, 'a recovery code is used once, by one of 50 at once, and by its owner only', async ({ store }) => {
    await tenantWithAda(store)
    const use = (subject: string) =>
      store.factors.useRecoveryCode({ tenant: acme, subject, handle: handle('code a') }, [event('factor.recovered')])
    equal(await use('bob'), 'already-used')
    deepEqual(await race(50, () => use('ada')), { used: 1, 'already-used': 49 })
    equal((await store.factors.of(acme, 'ada')).recoveryCodes, 1)
    equal((await logged(store, acme)).filter((name) => name === 'factor.recovered').length, 1)
  })

  storeTest(open, 'WebAuthn §6.1.1: a counter moves forward only; 0 stays 0', async ({ store }) => {
    await tenantWithAda(store)
    const use = (id: string, counter: number) =>
      store.factors.usePasskey({ tenant: acme, id, counter, at: at(counter) })
    deepEqual([await use('k1', 7), await use('k1', 0), await use('k1', 6)], ['regressed', 'regressed', 'regressed'])
    deepEqual(await race(50, () => use('k1', 4_294_967_295)), { used: 1, regressed: 49 })
    deepEqual(
      await store.factors.passkey(acme, 'k1'),
      passkey('k1', { counter: 4_294_967_295, lastUsedAt: at(4_294_967_295) }),
    )
    await store.factors.addPasskey(passkey('k2', { counter: 0 }), null, [])
    await store.factors.addPasskey(passkey('k3', { counter: 0 }), null, [])
    deepEqual(
      [await use('k2', 0), await use('k2', 0), await use('k2', 1), await use('k2', 0)],
      ['used', 'used', 'used', 'regressed'],
    )
    equal(await use('never was', 1), 'regressed')
    deepEqual(await store.factors.passkey(acme, 'k3'), passkey('k3', { counter: 0 }), 'no other was used')
  })

  storeTest(
    open,
    'a challenge is answered once, by one of 50 at once, there and for what it was posed',
    async ({ store }) => {
      await tenantWithAda(store)
      const posed = { ...challenge('c1'), now: at(2_000) }
      equal(await store.factors.takeChallenge({ ...posed, browser: handle('browser 2') }), 'absent')
      equal(await store.factors.takeChallenge({ ...posed, purpose: 'enrol' }), 'absent')
      equal(await store.factors.takeChallenge({ ...posed, tenant: other }), 'absent')
      deepEqual(await race(50, () => store.factors.takeChallenge(posed)), { taken: 1, absent: 49 })
      await store.factors.poseChallenge({ ...challenge('c2'), expiresAt: at(3_000) })
      equal(await store.factors.takeChallenge({ ...challenge('c2'), now: at(3_000) }), 'absent')
    },
  )

  storeTest(open, 'browsers are forgotten with any factor, recovery codes with the last one', async ({ store }) => {
    await tenantWithAda(store)
    const gone = [event('factor.removed')]
    equal(await store.factors.remove({ ...ada, what: { passkey: 'k9' } }, gone), 'absent')
    equal(await store.factors.remove({ ...ada, subject: 'bob', what: { passkey: 'k1' } }, gone), 'absent')
    equal(await store.factors.remove({ ...ada, subject: 'bob', what: 'recovery_codes' }, gone), 'absent')
    equal(await store.factors.remove({ ...ada, what: 'recovery_codes' }, []), 'removed')
    equal(await store.factors.remove({ ...ada, what: 'recovery_codes' }, gone), 'absent')
    deepEqual(await store.factors.of(acme, 'ada'), { ...everything, recoveryCodes: 0 })
    deepEqual(await store.factors.browsers(acme, 'ada'), [remembered('r1')])
    equal(await store.factors.remove({ ...ada, what: { passkey: 'k1' } }, gone), 'removed')
    deepEqual(await store.factors.browsers(acme, 'ada'), [])
    deepEqual(await store.factors.of(acme, 'ada'), { ...everything, passkey: false, recoveryCodes: 0 })
    equal(await store.factors.remove({ ...ada, what: 'totp' }, gone), 'removed')
    deepEqual(await store.factors.of(acme, 'ada'), nothing)
    equal(await store.factors.remove({ ...ada, what: 'everything' }, gone), 'absent')
    equal((await logged(store, acme)).filter((name) => name === 'factor.removed').length, 2)
  })

  storeTest(
    open,
    'of two sets of recovery codes made at once one stands, and none without a factor',
    async ({ store }) => {
      await tenantWithAda(store)
      const made = (n: number) =>
        store.factors.replaceRecoveryCodes({ ...ada, handles: codes(`${n} a`, `${n} b`), at: at(2_000) }, [])
      deepEqual(await race(50, made), { replaced: 50 })
      equal((await store.factors.of(acme, 'ada')).recoveryCodes, 2)
      const use = (it: Handle) => store.factors.useRecoveryCode({ ...ada, handle: it }, [])
      equal(await use(handle('code a')), 'already-used')
      await store.factors.remove({ ...ada, what: 'everything' }, [])
      deepEqual(await made(99), 'no-factor')
    },
  )

  storeTest(
    open,
    'recovery codes stay as they are where the password is another by now, or the person is disabled',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada', { passwordChangedAt: at(1_000) }), [])
      await enrolled(store)
      const replace = (passwordSeen: number | null) =>
        store.factors.replaceRecoveryCodes(
          { ...ada, handles: codes('x', 'y', 'z'), passwordSeen: passwordSeen as never, at: at(2_000) },
          [event('factor.recovered')],
        )
      for (const seen of [999, null]) equal(await replace(seen), 'outdated')
      deepEqual(await store.factors.of(acme, 'ada'), everything)
      equal((await logged(store, acme)).includes('factor.recovered'), false)
      equal(await replace(1_000), 'replaced')
      equal((await store.factors.of(acme, 'ada')).recoveryCodes, 3)
      await store.users.change({
        tenant: acme,
        id: 'ada',
        version: 1,
        disabledAt: at(3_000),
        at: at(3_000),
        events: [],
      })
      equal(await replace(1_000), 'outdated')
    },
  )

  storeTest(
    open,
    'of 50 first factors at once one is kept, with its own recovery codes; none is taken for what it is not',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada'), [])
      const first = (n: number) => store.factors.addPasskey(passkey(`k${n}`), codes(`${n}`), [event('factor.added')])
      equal(await store.factors.addPasskey(passkey('k'), null, [event('factor.added')]), 'changed-meanwhile')
      deepEqual(await race(50, first), { added: 1, 'changed-meanwhile': 49 })
      const [kept] = await store.factors.passkeys(acme, 'ada')
      const code = handle(`code ${kept?.id.slice(1)}`)
      equal(await store.factors.addTotp(totp(), codes('late'), []), 'changed-meanwhile')
      deepEqual(await store.factors.of(acme, 'ada'), { otp: false, passkey: true, recoveryCodes: 1 })
      equal(await store.factors.useRecoveryCode({ ...ada, handle: code }, []), 'used')
      equal((await logged(store, acme)).filter((name) => name === 'factor.added').length, 1)
    },
  )

  storeTest(
    open,
    'a browser is seen, and forgotten by its owner only; where sessions end, all are',
    async ({ store }) => {
      await tenantWithAda(store)
      await store.factors.seenBrowser(acme, 'r1', at(3_000))
      await store.factors.seenBrowser(acme, 'r1', at(2_000))
      equal((await store.factors.browsers(acme, 'ada'))[0]?.lastUsedAt, 3_000)
      const forgotten = [event('browser.forgotten')]
      equal(await store.factors.forgetBrowser({ ...ada, subject: 'bob', id: 'r1' }, forgotten), 'absent')
      equal(await store.factors.forgetBrowser({ ...ada, id: 'r1' }, forgotten), 'forgotten')
      equal(await store.factors.forgetBrowser({ ...ada, id: 'r1' }, forgotten), 'absent')
      await store.factors.rememberBrowser(remembered('r2'), [])
      const base = { tenant: acme, id: 'ada', at: at(5_000), events: [] }
      await store.users.change({ ...base, version: 1, claims: {} })
      equal((await store.factors.browsers(acme, 'ada')).length, 1)
      await store.users.change({ ...base, version: 2, passwordHash: 'new', endSessionsBut: null })
      equal((await store.factors.browsers(acme, 'ada')).length, 0)
    },
  )

  storeTest(
    open,
    'of one person the twenty newest browsers are trusted, and none by a proof that counts no longer',
    async ({ store }) => {
      await tenantWithAda(store)
      await store.directory.apply([change({ tenant: other })])
      const outdated = { ...remembered('by an old password'), passwordSeen: at(1) }
      equal(await store.factors.rememberBrowser(outdated, [event('login.failed')]), 'outdated')
      equal((await logged(store, acme)).includes('login.failed'), false)
      const ids = async (subject: string, tenant = acme) =>
        (await store.factors.browsers(tenant, subject)).map(({ id }) => id)
      deepEqual(await ids('ada'), ['r1'])
      const late = { createdAt: at(99_000) }
      await store.factors.rememberBrowser(remembered('of bob', { subject: 'bob', ...late }), [])
      await store.factors.rememberBrowser(remembered('elsewhere', { tenant: other, ...late }), [])
      const newest = Array.from({ length: 21 }, (_, n) => `n${String(n).padStart(2, '0')}`)
      for (const [n, id] of newest.entries())
        equal(await store.factors.rememberBrowser(remembered(id, { createdAt: at(10_000 + n) }), []), 'remembered')
      deepEqual(await ids('ada'), newest.slice(1))
      deepEqual([await ids('bob'), await ids('ada', other)], [['of bob'], ['elsewhere']])
    },
  )

  storeTest(
    open,
    'challenges and remembered browsers are swept, and end with the epoch; the rest stays',
    async ({ store }) => {
      await tenantWithAda(store)
      equal(await store.sweep(at(299_999), 10), 0)
      equal(await store.sweep(at(300_000), 10), 1)
      equal(await store.sweep(at(900_000), 10), 1)
      await store.factors.rememberBrowser(remembered('r2'), [])
      await store.factors.poseChallenge({ ...challenge('c2'), expiresAt: at(9_000_000) })
      await store.beginNewEpoch(at(2_000), [])
      deepEqual(await store.factors.browsers(acme, 'ada'), [])
      equal(await store.factors.takeChallenge({ ...challenge('c2'), now: at(2_000) }), 'absent')
      deepEqual(await store.factors.of(acme, 'ada'), everything)
    },
  )

  storeTest(open, 'an app’s secret is sealed anew only where it is still as read', async ({ store }) => {
    await tenantWithAda(store)
    await store.keys.add(key(1, { kid: 'k1' }), [])
    const which = { tenant: acme, totpOf: 'ada' }
    const from = totp().sealedSecret
    const to = Uint8Array.of(1, 2, 3)
    equal(await store.keys.rewrap([{ which, from: to, to }], []), 'changed-meanwhile')
    equal(await store.keys.rewrap([{ which, from, to }], []), 'rewrapped')
    deepEqual((await store.factors.totp(acme, 'ada'))?.sealedSecret, to)
  })
}
