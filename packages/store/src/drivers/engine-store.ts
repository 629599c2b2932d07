/** Builds the contract's Store over a driver's engine: names the verb, writes the events down, and nothing else. */
import { randomUUID } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import type { Store } from '../contract/store.ts'
import type { Engine } from './engine.ts'
import * as clients from '../verbs/clients/clients.ts'
import { stampOf } from '../verbs/directory/clock.ts'
import * as consents from '../verbs/tokens/consents.ts'
import * as deliveries from '../verbs/outgoing/deliveries.ts'
import * as devices from '../verbs/tokens/devices.ts'
import * as directory from '../verbs/directory/directory.ts'
import * as events from '../verbs/events.ts'
import * as factors from '../verbs/people/factors.ts'
import * as grants from '../verbs/tokens/grants.ts'
import * as interactions from '../verbs/people/interactions.ts'
import * as keys from '../verbs/directory/keys.ts'
import * as rememberedBrowsers from '../verbs/people/remembered-browsers.ts'
import * as links from '../verbs/people/links.ts'
import * as mails from '../verbs/outgoing/mails.ts'
import * as registrations from '../verbs/clients/registrations.ts'
import * as sessions from '../verbs/people/sessions.ts'
import * as tokens from '../verbs/tokens/tokens.ts'
import * as users from '../verbs/people/users.ts'
import { type Entry, entryOf } from '../verbs/entry.ts'

const written = (events: readonly NewEvent[]): readonly Entry[] => events.map(entryOf)

export function storeOver(engine: Engine): Store {
  return {
    directory: directoryOver(engine),
    clients: clientsOver(engine),
    registrations: registrationsOver(engine),
    assertions: { spend: (assertion) => engine.run('assertions.spend', [assertion]) },
    tokens: tokensOver(engine),
    grants: grantsOver(engine),
    devices: devicesOver(engine),
    consents: consentsOver(engine),
    users: usersOver(engine),
    factors: factorsOver(engine),
    sessions: sessionsOver(engine),
    deliveries: {
      due: (now) => engine.read(deliveries.due(now)),
      take: (taking) => engine.run('deliveries.take', [taking]),
      settle: (delivery, events) => engine.run('deliveries.settle', [delivery, written(events)]),
    },
    interactions: interactionsOver(engine),
    keys: keysOver(engine),
    events: eventsOver(engine),
    limits: {
      take: (wish) => engine.run('limits.take', [wish]),
      giveBack: (wish) => engine.run('limits.giveBack', [wish]),
    },
    mails: mailsOver(engine),
    links: linksOver(engine),
    epoch: async () => (await engine.read(directory.epoch())).epoch,
    epochBeganAt: async () => (await engine.read(directory.epoch())).beganAt,
    beginNewEpoch: (at, events) => engine.run('directory.beginNewEpoch', [randomUUID(), at, written(events)]),
    sweep: (now, limit) => engine.run('sweep', [now, limit]),
    ping: () => engine.ping(),
    close: () => engine.close(),
  }
}

const directoryOver = (engine: Engine): Store['directory'] => ({
  catalogue: (tenant) => engine.snapshot(directory.catalogue(tenant)),
  stamp: (tenant) => engine.read(stampOf(tenant)),
  tenants: ({ after, limit }) => engine.read(directory.tenants(after ?? '', limit)),
  watch: (changed) => engine.watchDirectory(changed),
  apply: (changes) => {
    const bare = changes.map(({ events: _events, ...change }) => change)
    return engine.run('directory.apply', [bare, written(changes.flatMap((change) => change.events))])
  },
  removeTenant: (tenant, _at, events) => engine.run('directory.removeTenant', [tenant, written(events)]),
})

const clientsOver = (engine: Engine): Store['clients'] => ({
  find: (tenant, id) => engine.read(clients.find(tenant, id)),
  list: (tenant, { after, limit, descending = false }) =>
    engine.read(descending ? clients.listBackwards(tenant, after, limit) : clients.list(tenant, after ?? '', limit)),
  create: (client, events) => engine.run('clients.create', [client, written(events)]),
  rotateSecret: ({ events, ...rotation }) => engine.run('clients.rotateSecret', [rotation, written(events)]),
  replace: ({ events, ...change }) => engine.run('clients.replace', [change, written(events)]),
  remove: (tenant, which, at, events) => engine.run('clients.remove', [tenant, which, at, written(events)]),
})

const registrationsOver = (engine: Engine): Store['registrations'] => ({
  register: ({ events, ...registration }) => engine.run('registrations.register', [registration, written(events)]),
  access: (tenant, id) => engine.read(registrations.access(tenant, id)),
  refresh: ({ events, ...it }) => engine.run('registrations.refresh', [it, written(events)]),
  hasGrants: (tenant, id, now) => engine.read(registrations.hasGrants(tenant, id, now)),
  unused: () => engine.read(registrations.unused()),
  reap: ({ event, ...harvest }) => engine.run('registrations.reap', [harvest, event]),
  addToken: (token, events) => engine.run('registrations.addToken', [token, written(events)]),
  tokens: (tenant) => engine.read(registrations.tokens(tenant)),
  token: (tenant, handle, now) => engine.read(registrations.token(tenant, handle, now)),
  revokeToken: (tenant, id, events) => engine.run('registrations.revokeToken', [tenant, id, written(events)]),
})

const tokensOver = (engine: Engine): Store['tokens'] => ({
  issue: ({ basis, at, grantId, spend, successor, opaque, events: made }) =>
    engine.run('tokens.issue', [{ basis, at, grantId, spend, successor, opaque, entries: written(made) }]),
  opaque: (tenant, handle) => engine.read(tokens.opaque(tenant, handle)),
  standing: (tenant, { jti, grantId }) => engine.read(tokens.standing(tenant, jti, grantId)),
  revoke: ({ events, ...revocation }) => engine.run('tokens.revoke', [revocation, written(events)]),
})

const grantsOver = (engine: Engine): Store['grants'] => ({
  open: ({ events, ...opening }) => engine.run('grants.open', [opening, written(events)]),
  code: (tenant, handle) => engine.read(grants.code(tenant, handle)),
  refresh: (tenant, handle) => engine.read(grants.refresh(tenant, handle)),
  device: (tenant, handle) => engine.read(devices.polled(tenant, handle)),
  find: (tenant, id) => engine.read(grants.find(tenant, id)),
  failVerifier: (tenant, handle, limit, at) => engine.run('grants.failVerifier', [tenant, handle, limit, at]),
  revoke: ({ events, ...revocation }) => engine.run('grants.revoke', [revocation, written(events)]),
  ofSubject: (tenant, subject, limit) => engine.read(grants.ofSubject(tenant, subject, limit)),
})

const devicesOver = (engine: Engine): Store['devices'] => ({
  open: (device, basis) => engine.run('devices.open', [device, basis]),
  find: (tenant, handle) => engine.read(devices.find(tenant, handle)),
  byUserCode: (tenant, userCode) => engine.read(devices.byUserCode(tenant, userCode)),
  claim: (device, interaction) => engine.run('devices.claim', [device, interaction]),
  approve: ({ events, ...approval }) => engine.run('devices.approve', [approval, written(events)]),
  deny: ({ events, ...denial }) => engine.run('devices.deny', [denial, written(events)]),
  slowDown: (tenant, device, how) => engine.run('devices.slowDown', [tenant, device, how]),
})

const consentsOver = (engine: Engine): Store['consents'] => ({
  standing: (tenant, subject, clientId, now) => engine.read(consents.standing({ tenant, subject, clientId, now })),
  ofSubject: (tenant, subject, limit) => engine.read(consents.ofSubject(tenant, subject, limit)),
  withdraw: ({ event, grantEvent, ...withdrawal }) =>
    engine.run('consents.withdraw', [withdrawal, entryOf(event), grantEvent]),
})

const usersOver = (engine: Engine): Store['users'] => ({
  byUsername: (tenant, username) => engine.read(users.byUsername(tenant, username)),
  byId: (tenant, id) => engine.read(users.byId(tenant, id)),
  byEmail: (tenant, email, limit) => engine.read(users.byEmail(tenant, email, limit)),
  list: (tenant, { after, limit }) => engine.read(users.list(tenant, after ?? '', limit)),
  create: (user, events) => engine.run('users.create', [user, written(events)]),
  change: ({ events, ...change }) => engine.run('users.change', [change, written(events)]),
})

const factorsOver = (engine: Engine): Store['factors'] => ({
  of: (tenant, subject) => engine.read(factors.of(tenant, subject)),
  passkey: (tenant, id) => engine.read(factors.passkey(tenant, id)),
  passkeys: (tenant, subject) => engine.read(factors.passkeys(tenant, subject)),
  totp: (tenant, subject) => engine.read(factors.totp(tenant, subject)),
  totps: (tenant, { after, limit }) => engine.read(factors.totps(tenant, after, limit)),
  browser: (tenant, handle) => engine.read(rememberedBrowsers.browser(tenant, handle)),
  browsers: (tenant, subject) => engine.read(rememberedBrowsers.browsers(tenant, subject)),
  addPasskey: (passkey, recovery, events) => engine.run('factors.addPasskey', [passkey, recovery, written(events)]),
  addTotp: (totp, recovery, events) => engine.run('factors.addTotp', [totp, recovery, written(events)]),
  remove: (removal, events) => engine.run('factors.remove', [removal, written(events)]),
  replaceRecoveryCodes: (codes, events) => engine.run('factors.replaceRecoveryCodes', [codes, written(events)]),
  useTotp: (use) => engine.run('factors.useTotp', [use]),
  usePasskey: (use) => engine.run('factors.usePasskey', [use]),
  useRecoveryCode: (use, events) => engine.run('factors.useRecoveryCode', [use, written(events)]),
  rememberBrowser: (browser, events) => engine.run('factors.rememberBrowser', [browser, written(events)]),
  seenBrowser: (tenant, id, at) => engine.run('factors.seenBrowser', [tenant, id, at]),
  forgetBrowser: (which, events) => engine.run('factors.forgetBrowser', [which, written(events)]),
  pose: (challenge) => engine.run('factors.pose', [challenge]),
  take: (challenge) => engine.run('factors.take', [challenge]),
})

const sessionsOver = (engine: Engine): Store['sessions'] => ({
  start: (session, replaces, events) => engine.run('sessions.start', [session, replaces, written(events)]),
  find: (tenant, handle) => engine.read(sessions.find(tenant, handle)),
  byId: (tenant, id) => engine.read(sessions.byId(tenant, id)),
  ofBrowser: (tenant, browser) => engine.read(sessions.ofBrowser(tenant, browser)),
  ofSubject: (tenant, subject) => engine.read(sessions.ofSubject(tenant, subject)),
  touch: (tenant, id, at) => engine.run('sessions.touch', [tenant, id, at]),
  end: (tenant, id, at, events) => engine.run('sessions.end', [{ tenant, id, at }, written(events)]),
  parties: (tenant, id) => engine.read(deliveries.partiesOf(tenant, id)),
})

const interactionsOver = (engine: Engine): Store['interactions'] => ({
  open: (interaction) => engine.run('interactions.open', [interaction]),
  find: (tenant, handle) => engine.read(interactions.find(tenant, handle)),
  record: (fact) => engine.run('interactions.record', [fact]),
  close: (tenant, handle, at) => engine.run('interactions.close', [tenant, handle, at]),
})

const keysOver = (engine: Engine): Store['keys'] => ({
  list: (tenant) => engine.read(keys.list(tenant)),
  add: (key, events) => engine.run('keys.add', [key, written(events)]),
  activate: (tenant, kid, activatesAt, events) =>
    engine.run('keys.activate', [{ tenant, kid, activatesAt }, written(events)]),
  noteActive: (tenant, kid, at, events) => engine.run('keys.noteActive', [{ tenant, kid, at }, written(events)]),
  drop: (tenant, kid, at, events) => engine.run('keys.drop', [{ tenant, kid, at }, written(events)]),
  forget: (tenant, kids, events) => engine.run('keys.forget', [tenant, kids, written(events)]),
  auditKey: () => engine.read(keys.auditKey()),
  derived: (purpose) => engine.derive(purpose),
  rewrap: (secrets, events) => engine.run('keys.rewrap', [secrets, written(events)]),
})

const mailsOver = (engine: Engine): Store['mails'] => ({
  queue: (mails, events) => engine.run('mails.queue', [mails, written(events)]),
  take: (now, until) => engine.run('mails.take', [now, until]),
  again: (tenant, id, dueAt) => engine.run('mails.again', [tenant, id, dueAt]),
  done: (tenant, id, events) => engine.run('mails.done', [tenant, id, written(events)]),
  cursor: () => engine.read(mails.cursor()),
  news: (pos, limit) => engine.read(mails.news(pos, limit)),
  derive: (reading) => engine.run('mails.derive', [reading]),
})

const linksOver = (engine: Engine): Store['links'] => ({
  find: (tenant, handle) => engine.read(links.find(tenant, handle)),
  mail: ({ events, ...mailing }) => engine.run('links.mail', [mailing, written(events)]),
  spend: ({ events, ...spending }) => engine.run('links.spend', [spending, written(events)]),
})

const eventsOver = (engine: Engine): Store['events'] => ({
  append: (events) => engine.run('events.append', [written(events)]),
  after: (tenant, seq, limit) => engine.read(events.after(tenant, seq, limit)),
  before: (tenant, seq, limit) => engine.read(events.before(tenant, seq, limit)),
  feed: ({ pos, tenant, limit }) => engine.read(events.feed(pos, tenant, limit)),
  feedBefore: ({ pos, limit }) => engine.read(events.feedBefore(pos, limit)),
  ofSubject: (tenant, subject, { before, limit }) =>
    engine.read(events.ofSubject(tenant, subject, { before: before ?? Number.MAX_SAFE_INTEGER, limit })),
  position: () => engine.position(),
  head: (tenant) => engine.read(events.head(tenant)),
  rows: (tenant, afterSeq, limit) => engine.read(events.rows(tenant, afterSeq, limit)),
  lost: () => engine.read(events.lost()),
  tenants: ({ after, limit }) => engine.snapshot(events.tenants(after ?? '', limit)),
  checkpoint: (tenant) => engine.read(events.checkpoint(tenant)),
  prunable: (tenant, before, limit) => engine.read(events.prunable(tenant, before, limit)),
  prune: (checkpoint, events) => engine.run('events.prune', [checkpoint, written(events)]),
  macOf: (head, purpose) => engine.mac(head, purpose),
  watch: (wake) => engine.watchEvents(wake),
})
