/** Mail without HTTP: forgotten passwords, checked addresses, and news, over both databases. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Account, Authority, MailMessage, Mail, AccountMail, SendOutcome } from '@grantor/authority'
import type { JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import { openDirectory } from '../../src/directory.ts'
import { countedLimits } from '../../src/limits/limits.ts'
import { openAccountMail } from '../../src/account/account-mail.ts'
import { type MailDelivery, openMailDelivery } from '../../src/background/mail-delivery.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { databases, declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

/** A mail server that keeps what it is given. */
class Postbox implements Mail {
  readonly letters: MailMessage[] = []
  answer: (letter: MailMessage) => SendOutcome | Promise<SendOutcome> = () => ({ did: 'sent' })

  async send(letter: MailMessage, signal: AbortSignal): Promise<SendOutcome> {
    const cut = new Promise<SendOutcome>((over) => {
      const end = () => over({ did: 'failed', why: 'closing' })
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
    const sent = await Promise.race([this.answer(letter), cut])
    if (sent.did === 'sent') this.letters.push(letter)
    return sent
  }

  of(kind: string): readonly MailMessage[] {
    return this.letters.filter((letter) => letter.facts.kind === kind)
  }

  /** The secret in the newest link of that kind. */
  secret(kind: 'reset' | 'address'): Secret {
    const facts = this.of(kind).at(-1)?.facts
    assert.ok(facts !== undefined && 'link' in facts, `no ${kind} was mailed`)
    return new URL(facts.link).searchParams.get('token') as Secret
  }
}

/** A node's mail, which works when it is told to. */
interface Office {
  readonly door: AccountMail
  readonly mailer: MailDelivery
  readonly box: Postbox
  /** Everything that is due, sent or put back. */
  turn(): Promise<void>
}

function openOffice(deployment: Deployment): Office {
  const box = new Postbox()
  const { ports, store } = deployment
  // As much of a node as mail needs.
  const directory = openDirectory(store)
  const parts = { ...ports, directory, limits: countedLimits(ports.limits, ports.limiter) }
  const mailer = openMailDelivery(box, parts)
  after(async () => {
    await mailer.close()
    directory.close()
  })
  const turn = async () => {
    await store.events.position()
    await mailer.deliverDue()
  }
  return { door: openAccountMail(mailer, parts), mailer, box, turn }
}

interface Scene extends Office {
  readonly deployment: Deployment
  readonly node: Authority
  readonly person: PersonAtBrowser
}

async function scene(database: (typeof databases)[number] = 'sqlite'): Promise<Scene> {
  const deployment = await openDeployment(database)
  await declarePeople(deployment)
  const office = openOffice(deployment)
  await office.turn()
  return { ...office, deployment, node: deployment.authority, person: new PersonAtBrowser(deployment.authority) }
}

const ask = ({ door, person }: Scene, named: string) => door.requestReset({ named, language: 'de' }, person.visitor())

async function mailed(it: Scene, named = 'alice'): Promise<Secret> {
  await ask(it, named)
  await it.turn()
  return it.box.secret('reset')
}

const enter = (node: Authority, password: string, person = new PersonAtBrowser(node)) =>
  node.browser.accountSignIn.byPassword({ username: 'alice', password, confirming: false }, person.visitor())

async function signedIn(node: Authority, person: PersonAtBrowser, username = 'alice'): Promise<Account> {
  const password = username === 'alice' ? 'correct-horse' : 'battery-staple'
  const by = { username, password, confirming: false }
  const outcome = await node.browser.accountSignIn.byPassword(by, person.visitor())
  assert.ok('cookies' in outcome)
  person.keep(outcome.cookies)
  const account = (await node.browser.accounts(person.visitor())).at(-1)
  assert.ok(account)
  return account
}

const eventsOf = async ({ store }: Deployment, name: string) => {
  await store.events.position()
  return (await store.events.after(root, 0, 1_000)).filter((event) => event.name === name)
}

/** Generous, because it bounds what hangs. */
async function waitUntil(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 6_000 && !holds(); n += 1) await new Promise((over) => setTimeout(over, 10))
  assert.ok(holds())
}

for (const database of databases) {
  describe(`mail on ${database}`, () => {
    test('a forgotten password is replaced by the link, once, and everything of the old one ends', async () => {
      const it = await scene(database)
      const { deployment, node, door, box, person } = it
      await signedIn(node, person)
      const secret = await mailed(it)
      assert.match(secret, /^gp_[\w-]{43}$/)
      const [letter] = box.of('reset')
      assert.deepEqual([letter?.to, letter?.language], ['alice@example.com', 'de'])
      const visitor = new PersonAtBrowser(node).visitor()
      assert.equal(await door.resettableUsername(secret, visitor), 'alice')
      assert.equal(await door.resetPassword({ secret, next: 'short' }, visitor), 'too_short')
      assert.equal(await door.resetPassword({ secret, next: 'a-new-password' }, visitor), 'reset')
      assert.equal(await door.resetPassword({ secret, next: 'another-password' }, visitor), 'gone')
      assert.deepEqual(await node.browser.accounts(person.visitor()), [])
      assert.equal((await enter(node, 'correct-horse')).did, 'rejected')
      assert.equal((await enter(node, 'a-new-password')).did, 'signed-in')
      const changed = (await eventsOf(deployment, 'admin.user_changed')).at(-1)
      const data = { cutoff: true, by: 'mail', device: 'Firefox · Linux' }
      assert.deepEqual([changed?.reason, changed?.data], ['password_changed', data])
      assert.equal((await eventsOf(deployment, 'password.reset_requested')).length, 1)
      await it.turn()
      assert.equal(box.of('password_changed').length, 1)
    })

    test('strangers who ask for a person do not use up what their own browser may ask', async () => {
      const it = await scene(database)
      await signedIn(it.node, it.person)
      const stranger = new PersonAtBrowser(it.node)
      for (let n = 0; n < 12; n++) await it.door.requestReset({ named: 'alice', language: null }, stranger.visitor())
      await it.turn()
      assert.equal(it.box.of('reset').length, 3, 'those of the account are used up')
      const asked = await it.door.requestReset({ named: 'alice', language: null }, stranger.visitor())
      assert.equal(asked.did, 'throttled', 'and those of the address')
      assert.equal((await ask(it, 'alice')).did, 'asked')
      await it.turn()
      assert.equal(it.box.of('reset').length, 4)
      await ask(it, 'bob')
      await it.turn()
    })

    test('of 20 that use one link at once one sets the password', async () => {
      const it = await scene(database)
      const secret = await mailed(it)
      const racer = (n: number) =>
        it.door.resetPassword({ secret, next: `password-number-${n}` }, new PersonAtBrowser(it.node).visitor())
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => racer(n)))
      assert.equal(outcomes.filter((outcome) => outcome === 'reset').length, 1)
      assert.equal(outcomes.filter((outcome) => outcome === 'gone').length, 19)
      assert.equal((await enter(it.node, `password-number-${outcomes.indexOf('reset')}`)).did, 'signed-in')
    })

    test('several nodes send each mail once', async () => {
      const it = await scene(database)
      const offices = [it, openOffice(it.deployment), openOffice(it.deployment)]
      for (const named of ['nobody', 'alice', 'nobody-else', 'alice@example.com']) await ask(it, named)
      await it.person.code()
      await it.deployment.store.events.position()
      await Promise.all(offices.flatMap((office) => [office.turn(), office.turn()]))
      for (const office of offices) await office.turn()
      const sent = offices.flatMap(({ box }) => box.letters.map(({ facts }) => facts.kind))
      assert.deepEqual(sent.toSorted(), ['app_connected', 'reset', 'reset', 'signed_in'])
      assert.equal((await eventsOf(it.deployment, 'mail.sent')).length, 4)
    })
  })
}

test('a node that was begun sends by itself, and stops when it is closed', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const box = new Postbox()
  const node = deployment.node({ mail: box })
  await node.begin()
  await node.browser.mail?.requestReset({ named: 'alice', language: null }, new PersonAtBrowser(node).visitor())
  await waitUntil(() => box.of('reset').length === 1)
  await signedIn(node, new PersonAtBrowser(node))
  await waitUntil(() => box.of('signed_in').length === 1)
  box.answer = () => new Promise<SendOutcome>(() => {})
  await node.browser.mail?.requestReset({ named: 'alice', language: null }, new PersonAtBrowser(node).visitor())
  await node.close()
})

describe('a forgotten password', () => {
  test('whoever is named, the answer is the same; only people with an address get a mail', async () => {
    const it = await scene()
    const { node, box } = it
    const gone = { username: 'gone', password: 'long-enough', claims: { email: 'gone@example.com' } }
    await node.admin.users.create(operator, root, gone)
    await node.admin.users.setDisabled(operator, root, { username: 'gone', disabled: true })
    const names = ['bob', 'gone', 'nobody', 'nobody@example.com', '', '\0', 'x'.repeat(100_000), 'a@b\r\nBcc: c@d']
    for (const named of names) assert.deepEqual(await ask(it, named), { did: 'asked' })
    assert.deepEqual(await ask(it, ' ALICE@example.com '), { did: 'asked' })
    await it.turn()
    assert.deepEqual(
      box.letters.map((letter) => letter.to),
      ['alice@example.com'],
    )
  })

  test('the newest link is the only one; it dies by age, by another password and by another address', async () => {
    const it = await scene()
    const { deployment, node, door, person } = it
    const visitor = person.visitor()
    const first = await mailed(it)
    const second = await mailed(it)
    assert.equal(await door.resettableUsername(first, visitor), null)
    assert.equal(await door.resettableUsername(second, visitor), 'alice')
    await node.admin.users.resetPassword(operator, root, { username: 'alice', password: 'by-the-operator' })
    assert.equal(await door.resetPassword({ secret: second, next: 'a-new-password' }, visitor), 'gone')
    const third = await mailed(it)
    const alice = await deployment.store.users.byUsername(root, 'alice')
    assert.ok(alice)
    const change = { tenant: root, id: alice.id, version: alice.version, at: deployment.ports.clock.now(), events: [] }
    await deployment.store.users.change({ ...change, claims: { email: 'elsewhere@example.com' } })
    assert.equal(await door.resetPassword({ secret: third, next: 'a-new-password' }, visitor), 'gone')
    deployment.clock += 3_600_000
    const fourth = await mailed(it)
    deployment.clock += deployment.ports.policy.resetTtl * 1000
    assert.equal(await door.resettableUsername(fourth, visitor), null)
    assert.equal(await door.resetPassword({ secret: fourth, next: 'a-new-password' }, visitor), 'gone')
  })

  test('a link belongs to its tenant and to its purpose', async () => {
    const it = await scene()
    const { node, door, box, person } = it
    const users = [{ username: 'alice', password: 'elsewhere-1', email: 'alice@example.com' }]
    await declare({ authority: node }, { tenants: [{ id: 'acme', users }] })
    const secret = await mailed(it)
    const elsewhere = { ...person.visitor(), tenant: 'acme' as TenantId }
    assert.equal(await door.resetPassword({ secret, next: 'a-new-password' }, elsewhere), 'gone')
    const account = await signedIn(node, person)
    await door.checkAddress(account, { visitor: person.visitor(), language: 'en' })
    await it.turn()
    assert.equal(
      await door.resetPassword({ secret: box.secret('address'), next: 'a-new-password' }, person.visitor()),
      'gone',
    )
    assert.equal(await door.pendingAddress(secret, account), null)
    assert.equal(await door.confirmAddress({ secret, account }, person.visitor()), 'gone')
    assert.equal(await door.resetPassword({ secret, next: 'a-new-password' }, person.visitor()), 'reset')
  })

  test('one account gets three links an hour, whoever asks; one address asks for ten, whomever it names', async () => {
    const it = await scene()
    for (let n = 0; n < 6; n += 1) {
      const visitor = { ...it.person.visitor(), ip: `198.51.100.${n}` }
      const named = n % 2 === 0 ? 'alice' : 'alice@example.com'
      assert.deepEqual(await it.door.requestReset({ named, language: null }, visitor), { did: 'asked' })
    }
    await it.turn()
    assert.equal(it.box.of('reset').length, 3)
    for (let n = 0; n < 10; n += 1) assert.equal((await ask(it, `nobody-${n}`)).did, 'asked')
    assert.equal((await ask(it, 'nobody')).did, 'throttled')
    assert.equal((await ask(it, 'alice')).did, 'throttled')
  })

  test('people who share a mailbox get one mail each, which names the account', async () => {
    const it = await scene()
    const claims = { email: 'Alice@Example.com' }
    await it.node.admin.users.create(operator, root, { username: 'twin', password: 'long-enough', claims })
    await ask(it, 'alice@example.com')
    await it.turn()
    const names = it.box.of('reset').map(({ facts }) => ('username' in facts ? facts.username : ''))
    assert.deepEqual(names.toSorted(), ['alice', 'twin'])
  })

  test('a reset is no way past a second factor, and each change of one is news', async () => {
    const it = await scene()
    const { deployment, door, box } = it
    const alice = new Enrolling(deployment)
    assert.equal(await alice.enter(), 'signed-in')
    await alice.addApp()
    const secret = await mailed(it)
    assert.equal(await door.resetPassword({ secret, next: 'a-new-password' }, alice.visitor()), 'reset')
    const anew = new Enrolling(deployment)
    assert.equal(await anew.enter('alice', 'a-new-password'), 'second-factor-pending')
    assert.deepEqual(await deployment.authority.browser.accounts(anew.visitor()), [])
    assert.equal(await anew.further({ recoveryCode: alice.codes[0] ?? '' }), 'signed-in')
    await it.turn()
    assert.deepEqual(box.letters.map(({ facts }) => facts.kind).toSorted(), [
      'factor_added',
      'password_changed',
      'recovery_code_used',
      'reset',
      'signed_in',
      'signed_in',
    ])
  })

  test('a disabled tenant mails nothing', async () => {
    const it = await scene()
    const users = [{ username: 'alice', password: 'elsewhere-1', email: 'alice@example.com' }]
    await declare({ authority: it.node }, { tenants: [{ id: 'acme', users }] })
    await it.node.admin.tenants.setDisabled(operator, 'acme' as TenantId, true)
    for (const tenant of ['acme', 'never-there'] as TenantId[]) {
      await it.door.requestReset({ named: 'alice', language: null }, { ...it.person.visitor(), tenant })
    }
    await it.turn()
    assert.deepEqual(it.box.letters, [])
  })
})

describe('the mailer', () => {
  test('a mail server that fails is tried again, later and later, until it is too late; the log says so', async () => {
    const it = await scene()
    const { deployment, box } = it
    const tries: number[] = []
    box.answer = () => (tries.push(deployment.clock), { did: 'failed', why: 'nobody home' })
    await ask(it, 'alice')
    const began = deployment.clock
    while ((await eventsOf(deployment, 'mail.failed')).length === 0) {
      await it.turn()
      deployment.clock += 10_000
      assert.ok(deployment.clock < began + 86_400_000)
    }
    assert.deepEqual(
      tries.map((at) => (at - began) / 1000),
      [0, 30, 90, 210, 450, 930],
    )
    const [failed] = await eventsOf(deployment, 'mail.failed')
    assert.deepEqual([failed?.reason, failed?.data], ['expired', { kind: 'reset', attempts: 7 }])
    assert.equal((failed?.at ?? 0) - began, deployment.ports.policy.resetTtl * 1000)
  })

  test('a mail that is refused for good is given up at once, and the next one is not', async () => {
    const it = await scene()
    const { deployment, node, box, person } = it
    box.answer = ({ facts }) => (facts.kind === 'reset' ? { did: 'refused', why: 'RCPT TO 550' } : { did: 'sent' })
    await ask(it, 'alice')
    await signedIn(node, person)
    await it.turn()
    const [failed, ...more] = await eventsOf(deployment, 'mail.failed')
    assert.deepEqual([failed?.reason, failed?.data], ['refused', { kind: 'reset', attempts: 1 }])
    assert.equal(more.length, 0)
    assert.equal(box.of('signed_in').length, 1)
  })

  test('what a dead node had taken is sent by another one', async () => {
    const it = await scene()
    let stuck = 0
    it.box.answer = () => ((stuck += 1), new Promise<SendOutcome>(() => {}))
    await ask(it, 'alice')
    await waitUntil(() => stuck === 1)
    const heir = openOffice(it.deployment)
    await heir.turn()
    assert.deepEqual(heir.box.letters, [])
    it.deployment.clock += 300_000
    await heir.turn()
    assert.equal(heir.box.of('reset').length, 1)
    await it.mailer.close()
  })

  test('a mail server that hangs holds up nobody who asks, and at most four mails', async () => {
    const it = await scene()
    const { box, node } = it
    let stuck = 0
    const { promise, resolve } = Promise.withResolvers<SendOutcome>()
    box.answer = () => ((stuck += 1), promise)
    for (let n = 0; n < 8; n += 1) {
      const username = `person-${n}`
      const claims = { email: `${username}@example.com` }
      await node.admin.users.create(operator, root, { username, password: 'long-enough', claims })
      assert.deepEqual(await ask(it, username), { did: 'asked' })
    }
    await waitUntil(() => stuck === 4)
    box.answer = () => ({ did: 'sent' })
    resolve({ did: 'sent' })
    await it.turn()
    assert.equal(box.of('reset').length, 8)
    assert.equal(stuck, 4)
  })

  test('a mail that no key of ours opens is given up, and says so', async () => {
    const it = await scene()
    const madeAt = it.deployment.ports.clock.now()
    const expiresAt = (madeAt + 60_000) as typeof madeAt
    const mail = { tenant: root, subject: null, sealed: new Uint8Array(60), madeAt, expiresAt }
    const kinds = ['signed_in', 'reset_asked']
    await it.deployment.store.mails.queue(
      kinds.map((kind) => ({ ...mail, kind, id: kind })),
      [],
    )
    await it.turn()
    const failed = await eventsOf(it.deployment, 'mail.failed')
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['unopened', 'unopened'],
    )
  })
})

describe('news', () => {
  test('a sign-in from a browser that is not known is told, the next one from there is not', async () => {
    const it = await scene()
    const { node, box, person } = it
    await signedIn(node, person)
    await it.turn()
    const [letter, ...more] = box.letters
    assert.ok(letter?.facts.kind === 'signed_in')
    assert.equal(letter.facts.where.ip, '192.0.2.9')
    assert.match(letter.facts.where.userAgent ?? '', /Firefox/)
    assert.equal(more.length, 0)
    await signedIn(node, person)
    await it.turn()
    assert.equal(box.letters.length, 1)
    // Alice at Bob's browser is news; Bob has no address, so nobody is told of him.
    const bob = new PersonAtBrowser(node)
    await signedIn(node, bob, 'bob')
    await signedIn(node, bob)
    await it.turn()
    assert.equal(box.letters.length, 2)
  })

  test('a connected app is told by its name, in the language of the person', async () => {
    const it = await scene()
    const alice = await it.deployment.store.users.byUsername(root, 'alice')
    assert.ok(alice)
    const change = {
      tenant: root,
      id: alice.id,
      version: alice.version,
      at: it.deployment.ports.clock.now(),
      events: [],
    }
    await it.deployment.store.users.change({ ...change, claims: { ...alice.claims, locale: 'de-AT' } })
    await it.person.code()
    await it.turn()
    const [letter] = it.box.of('app_connected')
    assert.ok(letter?.facts.kind === 'app_connected')
    assert.deepEqual([letter.facts.client, letter.language], ['web', 'de-AT'])
  })

  test('what happened before mail was set up, or longer than a day ago, is nobody’s news', async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    const node = deployment.authority
    await signedIn(node, new PersonAtBrowser(node))
    const office = openOffice(deployment)
    await office.turn()
    await signedIn(node, new PersonAtBrowser(node))
    deployment.clock += 86_400_001
    await signedIn(node, new PersonAtBrowser(node))
    await office.turn()
    assert.equal(office.box.of('signed_in').length, 1)
  })
})

describe('an address', () => {
  test('is confirmed by following its link, by the account it is for, once', async () => {
    const it = await scene()
    const { deployment, node, door, box, person } = it
    const bob = new PersonAtBrowser(node)
    const account = await signedIn(node, bob, 'bob')
    const by = { visitor: bob.visitor(), language: 'en' }
    assert.equal(await door.checkAddress(account, by), 'no_address')
    const wish = { ...by, email: 'bob@example.com', password: 'battery-staple' }
    assert.equal(await door.changeAddress(account, { ...wish, email: 'not an address' }), 'malformed')
    assert.equal(await door.changeAddress(account, { ...wish, password: 'wrong' }), 'wrong')
    assert.equal(await door.changeAddress(account, wish), 'sent')
    await it.turn()
    const secret = box.secret('address')
    const alice = await signedIn(node, person)
    assert.equal(await door.pendingAddress(secret, alice), null)
    assert.equal(await door.confirmAddress({ secret, account: alice }, person.visitor()), 'gone')
    assert.deepEqual(door.address(account), { email: null, verified: false })
    assert.equal(await door.pendingAddress(secret, account), 'bob@example.com')
    const racers = Array.from({ length: 50 }, () => door.confirmAddress({ secret, account }, bob.visitor()))
    assert.equal((await Promise.all(racers)).filter((outcome) => outcome === 'confirmed').length, 1)
    const held = await deployment.store.users.byUsername(root, 'bob')
    assert.deepEqual(held?.claims, { email: 'bob@example.com', email_verified: true })
  })

  test('another one is used only once its link was followed, and the old one hears of it', async () => {
    const it = await scene()
    const { deployment, node, door, box, person } = it
    const account = await signedIn(node, person)
    const to = { email: 'alice@elsewhere.example', password: 'correct-horse' }
    const wish = { ...to, visitor: person.visitor(), language: 'en' }
    const current = async () => (await deployment.store.users.byUsername(root, 'alice'))?.claims['email']
    assert.equal(await door.changeAddress(account, { ...wish, email: 'ALICE@example.com' }), 'unchanged')
    assert.equal(await door.changeAddress(account, wish), 'sent')
    await it.turn()
    assert.equal(box.of('address')[0]?.to, to.email)
    assert.equal(await current(), 'alice@example.com')
    assert.equal(await door.confirmAddress({ secret: box.secret('address'), account }, person.visitor()), 'confirmed')
    await it.turn()
    assert.equal(box.of('address_changed')[0]?.to, 'alice@example.com')
    assert.equal(await current(), to.email)
    deployment.clock += deployment.ports.policy.recentSignIn * 1000 + 1
    const [later] = await node.browser.accounts(person.visitor())
    assert.ok(later)
    assert.equal(await door.changeAddress(later, { ...wish, email: 'third@example.com' }), 'stale')
  })

  test('stays confirmed when the file it was declared in is applied again, and not when the file says otherwise', async () => {
    const it = await scene()
    const { deployment, node, door, box, person } = it
    const verified = async () => (await deployment.store.users.byUsername(root, 'alice'))?.claims['email_verified']
    const declared = async (claims: JsonObject) => {
      await declare({ authority: node }, { users: [{ username: 'alice', email: 'alice@example.com', ...claims }] })
      return verified()
    }
    assert.equal(await declared({ email_verified: false }), false)
    const account = await signedIn(node, person)
    assert.equal(await door.checkAddress(account, { visitor: person.visitor(), language: 'en' }), 'sent')
    await it.turn()
    assert.equal(await door.confirmAddress({ secret: box.secret('address'), account }, person.visitor()), 'confirmed')
    assert.equal(await verified(), true)
    assert.equal(await declared({}), true)
    assert.equal(await declared({ email: 'other@example.com' }), undefined)
  })

  test('an account has three check mails an hour', async () => {
    const { node, door, person } = await scene()
    const account = await signedIn(node, person)
    const by = { visitor: person.visitor(), language: 'en' }
    const outcomes = []
    for (let n = 0; n < 4; n += 1) outcomes.push(await door.checkAddress(account, by))
    assert.deepEqual(outcomes, ['sent', 'sent', 'sent', { did: 'throttled', seconds: 1200 }])
  })
})
