/** The very instant that something ends: what lives until then is over at it, in every part that looks at a clock. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { served } from '@grantor/protocol/documents'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { type Instant, mostSkew, type Secret } from '@grantor/protocol/types'
import { root } from './support/deployment.ts'

const end = Date.parse('2026-11-15T12:00:00Z') as Instant
const shown = 'secret' as Secret
const at = (now: number) => ({ now: () => now as Instant, margin: 0, until: () => Promise.resolve() })
/** As much of a store, and of all else, as the one question needs. */
const only = (parts: object): never => parts as never
const ids = { handleOf: (text: string) => text, id: () => 'id', secret: () => shown, salt: () => new Uint8Array(32) }
const visitor = only({ tenant: root, browser: shown, remembered: [shown], sessions: [shown], userAgent: null })
const person = { tenant: root, id: 'alice', username: 'alice', disabledAt: null, claims: {}, passwordChangedAt: null }
const user = { ...person, passwordHash: null, administrator: null, version: 1 }
const people = { find: () => Promise.resolve(person) }
const finds = (row: object) => ({ find: () => Promise.resolve(row) })
const directory = { servedCatalogue: () => Promise.resolve({ tenant: { accounts: { sign_in_links: true } } }) }

/** Whether it is still there at that time. */
type Lives = (now: number) => Promise<boolean> | boolean

const account = (signedInAt: number) => only({ person, authentication: { at: signedInAt, acr: 'x' }, session: {} })

const key = (generation: number, activatesAt: number) => ({
  kid: `k${generation}`,
  alg: 'ES256' as const,
  generation,
  activatesAt: activatesAt as Instant,
  droppedAt: null,
})

const untilEnd: Readonly<Record<string, Lives>> = {
  async 'a link that signs in'(now) {
    const { offeredSignIn } = await import('../src/sign-in-link/use.ts')
    const signInLinks = finds({ expiresAt: end, subject: 'alice', browser: shown })
    const offered = await offeredSignIn(
      shown,
      visitor,
      only({ clock: at(now), ids, people, directory, store: { signInLinks } }),
    )
    return offered.did === 'offered'
  },
  async 'a link that confirms an address'(now) {
    const { pendingAddress } = await import('../src/account/email-address.ts')
    const links = finds({ expiresAt: end, subject: 'alice', purpose: 'address', email: 'a@example.com' })
    return (await pendingAddress(shown, account(end), only({ clock: at(now), ids, store: { links } }))) !== null
  },
  async 'a link that resets a password'(now) {
    const { resettableUser } = await import('../src/account/reset-password.ts')
    const links = finds({ expiresAt: end, subject: 'alice', purpose: 'reset', email: 'a@example.com' })
    const users = { byId: () => Promise.resolve({ ...user, claims: { email: 'a@example.com' } }) }
    return (await resettableUser(shown, visitor, only({ clock: at(now), ids, store: { links, users } }))) !== null
  },
  async 'an invitation'(now) {
    const { offeredAccount } = await import('../src/sign-up/accept.ts')
    const invitations = finds({ expiresAt: end, kind: 'invitation', email: 'a@example.com', preset: {} })
    const invitation = only({ secret: shown, kind: 'invitation' })
    const deps = only({ clock: at(now), ids, directory, store: { invitations } })
    return (await offeredAccount(invitation, visitor, deps)) !== null
  },
  async 'a request that was pushed'(now) {
    const { pushedRequest } = await import('../src/authorize/pushed-request.ts')
    const redirectUri = 'https://client.example/cb'
    const pushedRequests = finds({ expiresAt: end, clientId: 'web', usedAt: null, request: { redirectUri } })
    const client = only({ tenant: root, id: 'web', metadata: { redirect_uris: [redirectUri] } })
    const deps = only({ clock: at(now), ids, policy: defaultPolicy, store: { pushedRequests } })
    return (await pushedRequest('urn:x', client, deps)).kind === 'ok'
  },
  async 'a browser that needs no second factor'(now) {
    const { isRememberedBrowser } = await import('../src/factors/remembered-browser.ts')
    const browser = { id: 'b', subject: 'alice', expiresAt: end }
    const factors = { browser: () => Promise.resolve(browser), seenBrowser: () => Promise.resolve() }
    return isRememberedBrowser(only(person), visitor, only({ clock: at(now), ids, store: { factors } }))
  },
  async 'a device that waits, to an administrator'(now) {
    const { openDeviceAdmin } = await import('../src/admin/devices.ts')
    const devices = finds({ approved: false, deniedAt: null, expiresAt: end })
    const admin = openDeviceAdmin(only({ clock: at(now), ids, store: { devices } }))
    return (await admin.find(root, 'd')).kind === 'ok'
  },
  async 'a device that waits, to its person'(now) {
    const { settledDevice } = await import('../src/interact/settle-device.ts')
    const interactions = finds({ kind: 'device', browser: shown, request: { device: { handle: 'd' }, clientId: 'tv' } })
    const devices = finds({ approved: false, deniedAt: null, expiresAt: end })
    const known = { currentClient: () => Promise.resolve(null) }
    const deps = only({ clock: at(now), ids, directory: known, store: { interactions, devices } })
    return (await settledDevice(shown, visitor, deps)).kind === 'error'
  },
  async 'a session, to an administrator'(now) {
    const { openSessionAdmin } = await import('../src/admin/access.ts')
    const sessions = { byId: () => Promise.resolve({ endedAt: null, expiresAt: end }) }
    return (await openSessionAdmin(only({ clock: at(now), store: { sessions } })).find(root, 's')).kind === 'ok'
  },
  async 'a grant, to an administrator'(now) {
    const { openGrantAdmin } = await import('../src/admin/access.ts')
    const grants = { findUsed: () => Promise.resolve({ revokedAt: null, expiresAt: end }) }
    return (await openGrantAdmin(only({ clock: at(now), store: { grants } })).find(root, 'g')).kind === 'ok'
  },
  async 'the lease of a mail'(now) {
    const { openMailAdmin } = await import('../src/admin/mails.ts')
    const mails = finds({ attempts: 1, lastError: null, dueAt: end, kind: 'reset_request' })
    const vault = { open: () => null }
    const found = await openMailAdmin(only({ clock: at(now), vault, store: { mails } })).find(root, 'm')
    return found.kind === 'ok' && found.value.isUnderWay
  },
  async 'a mail that waits'(now) {
    const { openMailDelivery } = await import('../src/background/mail-delivery.ts')
    const done: string[] = []
    const rows = [{ tenant: root, id: 'm', kind: 'test', subject: null, expiresAt: end, attempts: 1, sealed: null }]
    const mails = {
      cursor: () => Promise.resolve(null),
      derive: () => Promise.resolve(),
      takeDue: () => Promise.resolve(rows.shift() ?? null),
      settle: (_: string, __: string, events: readonly { reason: string }[]) =>
        Promise.resolve(void done.push(String(events[0]?.reason))),
    }
    const events = { position: () => Promise.resolve(1), watch: () => () => {} }
    const vault = { open: () => null }
    const deps = only({ clock: at(now), ids, vault, store: { mails, events } })
    const delivery = openMailDelivery(only({}), deps)
    await delivery.deliverDue()
    await delivery.close()
    // Nobody could open this one: that is found out only of one that is not over.
    assert.equal(done.length, 1)
    return done[0] === 'unopened'
  },
  async 'what a client asked by the back channel'(now) {
    const { openPingDelivery } = await import('../src/background/ping-delivery.ts')
    const done: string[] = []
    const rows = [{ tenant: root, clientId: 'c', tries: 1, expiresAt: end, sealed: null }]
    const backchannel = {
      notificationsDue: () => Promise.resolve(true),
      takeNotification: () => Promise.resolve(rows.shift() ?? null),
      settleNotification: (_: object, events: readonly { reason: string }[]) =>
        Promise.resolve(void done.push(String(events[0]?.reason))),
    }
    const metadata = { backchannel_client_notification_endpoint: 'https://client.example/ping' }
    const known = { currentClient: () => Promise.resolve({ disabledAt: null, metadata }) }
    const vault = { open: () => null }
    const store = { backchannel, events: { watch: () => () => {} } }
    const delivery = openPingDelivery(only({ clock: at(now), ids, vault, directory: known, store }))
    await delivery.deliverDue()
    await delivery.close()
    assert.equal(done.length, 1)
    return done[0] === 'unopened'
  },
  async 'the former secret of a webhook'(now) {
    const { webhookMessage } = await import('../src/webhooks/webhook-delivery.ts')
    const sealed = new Uint8Array(32)
    const to = { tenant: root, id: 'w', sealedSecret: sealed, previous: { sealed, until: end } }
    const delivery = only({ to, id: 'e', payload: '{}' })
    const message = webhookMessage(delivery, only({ open: () => new Uint8Array(32) }), now as Instant)
    return String(message?.headers['webhook-signature']).split(' ').length === 2
  },
  async 'the signing of a key, by the key after it'(now) {
    const { currentKey, keyState, nextBeginning } = await import('../src/keys/lifecycle.ts')
    const [first, second] = [key(1, 0), key(2, end)]
    const signs = currentKey([first, second], 'ES256', now as Instant) === first
    assert.equal(nextBeginning([first, second], 'ES256', now as Instant), signs ? end : Infinity)
    assert.equal(keyState([first, second], second, defaultPolicy, now as Instant), signs ? 'next' : 'current')
    return signs
  },
  async 'a key in the key set, after the key that came after it'(now) {
    const { keyRetention, publishedKeys } = await import('../src/keys/lifecycle.ts')
    const keys = [key(1, 0), key(2, end - keyRetention(defaultPolicy))]
    return publishedKeys(keys, defaultPolicy, now as Instant).length === 2
  },
  async 'the time before a key has a successor'(now) {
    const { successorDue } = await import('../src/keys/lifecycle.ts')
    const activatesAt = end - (defaultPolicy.keyRotation - defaultPolicy.keyAnnounce) * 1000
    return !successorDue([key(1, activatesAt)], 'ES256', defaultPolicy, now as Instant)
  },
  async 'an interaction'(now) {
    const { loadInteraction } = await import('../src/interact/interaction.ts')
    const interactions = finds({ kind: 'authorization', browser: 'other', openedAt: 0, closedAt: null, expiresAt: end })
    const deps = only({ clock: at(now), ids, vault: { open: () => null }, store: { interactions } })
    const loaded = await loadInteraction(shown, visitor, deps)
    // Another browser's, which is found out only of one that is not over.
    return loaded.kind === 'error' && loaded.error.reason === 'interaction_of_another_browser'
  },
  async 'the minute in which a use of a key is not noted again'(now) {
    const { openKeyUses } = await import('../src/api-keys/key-uses.ts')
    const noted: number[] = []
    const uses = openKeyUses(only({ store: { apiKeys: { noteUse: () => Promise.resolve(void noted.push(1)) } } }))
    uses.note(only({ tenant: root, id: 'k', lastUsedAt: end - 60_000 }), now as Instant)
    await uses.close()
    return noted.length === 0
  },
  async 'the minute in which a logo that failed is not fetched again'(now) {
    const { openLogos } = await import('../src/clients/logos.ts')
    let [clock, fetched] = [end - 60_000, 0]
    const outbound = { fetch: () => Promise.resolve({ kind: 'error', error: 'unreachable', count: (fetched += 1) }) }
    const logos = openLogos(only({ clock: { now: () => clock }, outbound }))
    const client = only({ id: 'c', metadata: { logo_uri: 'https://client.example/logo' } })
    logos.cachedVersion(client)
    clock = now
    logos.cachedVersion(client)
    return fetched === 1
  },
  async 'the copy of a document that a client is known by'(now) {
    const { documentClient } = await import('../src/clients/document.ts')
    // A port that nothing is fetched from.
    const held = { id: 'https://client.example:8443/id', tenant: root, freshUntil: end, disabledAt: null, metadata: {} }
    const known = { currentClient: () => Promise.resolve(held) }
    const store = { registrations: { hasGrants: () => Promise.resolve(false) } }
    const deps = only({ clock: at(now), directory: known, policy: defaultPolicy, served, store })
    const asked = only({ id: held.id, origin: { tenant: root }, catalogue: { tenant: { id: root } } })
    return (await documentClient(asked, deps)).kind === 'ok'
  },
}

const recently = defaultPolicy.recentSignIn * 1000

/** These hold at their last instant too, and are over a millisecond later. */
const throughEnd: Readonly<Record<string, Lives>> = {
  async 'a sign-in that is recent enough to end the account'(now) {
    const { requestDeletion } = await import('../src/account/deletion.ts')
    const limits = { takeAll: () => Promise.resolve({ decisions: [], refused: null }) }
    const store = { users: { byId: () => Promise.resolve(null) } }
    const deps = only({ clock: at(now), limits, policy: defaultPolicy, store })
    return (await requestDeletion(account(end - recently), 'x', visitor, deps)).did !== 'stale'
  },
  async 'a sign-in that is recent enough to change the address'(now) {
    const { changeAddress } = await import('../src/account/email-address.ts')
    const limits = { takeAll: () => Promise.resolve({ decisions: [], refused: null }) }
    const store = { users: { byId: () => Promise.resolve(null) } }
    const deps = only({ clock: at(now), limits, policy: defaultPolicy, store })
    const by = only({ visitor, language: null, email: 'new@example.com', password: 'x' })
    return (await changeAddress(account(end - recently), by, deps)) !== 'stale'
  },
  async 'a clock that was set back, as far as clocks waver'(now) {
    const { settleSetBack } = await import('../src/background/set-back.ts')
    const store = { events: { latest: () => Promise.resolve(now + mostSkew) }, setBack: () => Promise.resolve() }
    return (await settleSetBack(end, only({ ids, store }))) === null
  },
  async 'news that a person still hears of'(now) {
    const { queueNotices } = await import('../src/mail/notices.ts')
    const queued: object[] = []
    const event = { name: 'factor.removed', tenant: root, subject: 'alice', at: end - 86_400_000, pos: 2, data: null }
    const mails = {
      cursor: () => Promise.resolve(1),
      news: () => Promise.resolve([event]),
      derive: ({ mails: made }: { mails: readonly object[] }) => Promise.resolve(void queued.push(...made)),
    }
    const addressed = { ...person, claims: { email: 'a@example.com' } }
    const vault = { seal: () => new Uint8Array(1) }
    const issuers = { issuerOf: () => 'https://as.example' }
    const found = { find: () => Promise.resolve(addressed) }
    await queueNotices(only({ clock: at(now), ids, vault, issuers, people: found, store: { mails } }))
    return queued.length === 1
  },
  async 'a session that need not be written down as seen'(now) {
    const { accountsOf } = await import('../src/interact/visitor.ts')
    const seen: object[] = []
    const session = {
      endedAt: null,
      createdAt: end,
      expiresAt: end * 2,
      lastSeenAt: end - 60_000,
      authentication: { subject: 'alice' },
    }
    const sessions = { find: () => Promise.resolve(session), touch: () => Promise.resolve(void seen.push({})) }
    const deps = only({ clock: at(now), ids, people, policy: defaultPolicy, store: { sessions } })
    assert.equal((await accountsOf(visitor, deps)).length, 1)
    return seen.length === 0
  },
  async 'an interaction that was opened by a clock ahead of ours, as far as clocks waver'(now) {
    const { findInteraction } = await import('../src/interact/sealed-interaction.ts')
    const interactions = finds({ openedAt: now + mostSkew })
    const deps = only({ clock: at(end), ids, vault: { open: () => null }, store: { interactions } })
    return (await findInteraction(shown, root, deps)) !== null
  },
  async 'a lease of places in a status list, to a token that ends with it'(now) {
    const { openStatusIndexes } = await import('../src/status-lists/status-indexes.ts')
    let leases = 0
    const lease = () => {
      // What never fits would be asked for again for ever.
      if ((leases += 1) > 2) throw new Error('enough')
      return Promise.resolve({ list: 'l', first: 0 })
    }
    const hour = 3_600_000
    const deps = only({ clock: at(end - hour), ids, policy: defaultPolicy, store: { statusLists: { lease } } })
    const taken = openStatusIndexes(deps).take(
      only({ tenant: { id: root, revision: 1 }, resources: [] }),
      now as Instant,
    )
    await Promise.resolve(taken).catch(() => null)
    return leases === 1
  },
}

describe('at the very instant', () => {
  for (const [what, lives] of Object.entries(untilEnd))
    test(`${what} is there a millisecond before its end, and not at it`, async () => {
      assert.deepEqual([await lives(end - 1), await lives(end)], [true, false])
    })
  for (const [what, lives] of Object.entries(throughEnd))
    test(`${what} is so at the last instant, and not a millisecond later`, async () => {
      assert.deepEqual([await lives(end), await lives(end + 1)], [true, false])
    })
})
