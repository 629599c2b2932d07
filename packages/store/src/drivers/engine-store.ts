/** Builds the contract's Store over a driver's engine: each method names its verb and encodes the events. */
import { randomUUID } from 'node:crypto'
import type { Store } from '../contract/store.ts'
import { logo } from '../verbs/directory/branding.ts'
import { catalogue, tenants } from '../verbs/directory/catalogue.ts'
import { stampOf } from '../verbs/directory/clock.ts'
import * as directory from '../verbs/directory/directory.ts'
import * as keys from '../verbs/directory/keys.ts'
import { entriesOf, entryOf } from '../verbs/entry.ts'
import * as locks from '../verbs/locks.ts'
import * as deliveries from '../verbs/outgoing/deliveries.ts'
import * as mails from '../verbs/outgoing/mails.ts'
import * as factors from '../verbs/people/factors.ts'
import * as interactions from '../verbs/people/interactions.ts'
import * as rememberedBrowsers from '../verbs/people/remembered-browsers.ts'
import * as sessions from '../verbs/people/sessions.ts'
import * as signalPolls from '../verbs/signal-polls.ts'
import * as statistics from '../verbs/statistics.ts'
import * as consents from '../verbs/tokens/consents.ts'
import * as devices from '../verbs/tokens/devices.ts'
import * as grants from '../verbs/tokens/grants.ts'
import * as pushedRequests from '../verbs/tokens/pushed-requests.ts'
import * as statusLists from '../verbs/tokens/status-lists.ts'
import { SetAsideRows } from '../verbs/set-aside.ts'
import { findConsent, findUsed, searchConsents, searchGrants } from '../verbs/tokens/searches.ts'
import * as tokens from '../verbs/tokens/tokens.ts'
import * as validators from '../verbs/validators.ts'
import { acknowledgedEnd, type Engine } from './engine.ts'
import { apiKeyStore, clientStore, registrationStore } from './engine-clients.ts'
import { backchannelStore, deviceStore } from './engine-devices.ts'
import { eventDeliveryStore, eventStore, receiverStore, streamSubjectStore } from './engine-events.ts'
import { invitationStore, linkStore, signInLinkStore } from './engine-invitations.ts'
import { identityStore } from './engine-identities.ts'
import { groupStore, userStore } from './engine-people.ts'

export function storeFromEngine(engine: Engine): Store {
  const aside = new SetAsideRows()
  return {
    directory: directoryStore(engine, aside),
    clients: clientStore(engine, aside),
    unreadable: aside,
    registrations: registrationStore(engine),
    apiKeys: apiKeyStore(engine),
    assertions: { spend: (assertion) => engine.run('assertions.spend', [assertion]) },
    tokens: tokenStore(engine),
    statusLists: {
      lease: (block) => engine.run('statusLists.lease', [block]),
      lists: (tenant, after) => engine.read(statusLists.lists(tenant, after)),
      places: (tenant, populations) => engine.snapshot(() => statusLists.places(tenant, populations)),
    },
    grants: grantStore(engine),
    devices: deviceStore(engine),
    backchannel: backchannelStore(engine),
    pushedRequests: pushedRequestStore(engine),
    consents: consentStore(engine),
    users: userStore(engine, aside),
    groups: groupStore(engine),
    factors: factorStore(engine),
    identities: identityStore(engine),
    sessions: sessionStore(engine),
    deliveries: {
      due: (now) => engine.read(deliveries.due(now)),
      takeDue: (request) => engine.run('deliveries.takeDue', [request]),
      settle: (delivery, events) => engine.run('deliveries.settle', [delivery, entriesOf(events)]),
    },
    eventReceivers: receiverStore(engine),
    eventDeliveries: eventDeliveryStore(engine),
    streamSubjects: streamSubjectStore(engine),
    signalPolls: {
      due: (now) => engine.read(signalPolls.due(now)),
      take: (request) => engine.run('signalPolls.take', [request]),
      settle: (turn, nextAt) => engine.run('signalPolls.settle', [turn, nextAt]),
      of: (tenant) => engine.read(signalPolls.of(tenant)),
    },
    interactions: interactionStore(engine),
    keys: keyStore(engine),
    events: eventStore(engine),
    validators: {
      note: (notes) => engine.run('validators.note', [notes]),
      forget: (now, mostOfClient) => engine.run('validators.forget', [now, mostOfClient]),
      known: (tenants, at, presence) => engine.read(validators.known(tenants, at, presence)),
    },
    statistics: { counts: (tenant, range) => engine.read(statistics.counts(tenant, range)) },
    limits: {
      takeUnits: (units) => engine.run('limits.takeUnits', [units]),
      giveBackUnits: (units) => engine.run('limits.giveBackUnits', [units]),
      tatOf: (key) => engine.read(locks.tatOf(key)),
      noteLock: (lock) => engine.run('limits.noteLock', [lock]),
      locks: (tenant, now) => engine.read(locks.locks(tenant, now)),
      unlock: (tenant, key, events) => engine.run('limits.unlock', [tenant, key, entriesOf(events)]),
    },
    mails: mailStore(engine),
    links: linkStore(engine),
    signInLinks: signInLinkStore(engine),
    invitations: invitationStore(engine),
    epoch: () => engine.read(directory.epoch()),
    beginNewEpoch: (at, events) => engine.run('directory.beginNewEpoch', [randomUUID(), at, entriesOf(events)]),
    setBack: ({ event, ...it }) => engine.run('directory.setBack', [it, event]),
    sweep: (now, limit) => engine.run('sweep', [now, limit]),
    time: () => engine.time(),
    ping: () => engine.ping(),
    untilDurable: () => engine.untilDurable(),
    probeWrite: (at) => engine.run('limits.probeWrite', [at]),
    close: () => engine.close(),
  }
}

const directoryStore = (engine: Engine, aside: SetAsideRows): Store['directory'] => ({
  catalogue: (tenant) => engine.snapshot(() => catalogue(aside, tenant)),
  stamp: (tenant) => engine.read(stampOf(tenant)),
  tenants: ({ after, limit, descending = false }) => engine.read(tenants(aside, { after, limit, descending })),
  logo: (tenant, hash) => engine.read(logo(tenant, hash)),
  watch: (changed) => engine.watchDirectory(changed),
  apply: (changes) => {
    const bare = changes.map(({ events: _events, ...change }) => change)
    return engine.run('directory.apply', [bare, entriesOf(changes.flatMap((change) => change.events))])
  },
  removeTenant: (tenant, _at, events) => engine.run('directory.removeTenant', [tenant, entriesOf(events)]),
})

const tokenStore = (engine: Engine): Store['tokens'] => ({
  issue: ({ basis, at, grantId, spend, successor, opaque, proof, binding, statusEntry, events: made }) => {
    const entries = entriesOf(made)
    const issuance = { basis, at, grantId, spend, successor, opaque, proof, binding, entries }
    return engine.run('tokens.issue', [statusEntry === undefined ? issuance : { ...issuance, statusEntry }])
  },
  useProof: (tenant, proof) => engine.run('tokens.useProof', [tenant, proof]),
  opaque: (tenant, handle) => engine.read(tokens.opaque(tenant, handle)),
  status: (tenant, token) => engine.read(tokens.status(tenant, token)),
  revoke: ({ events, ...revocation }) =>
    acknowledgedEnd(engine, engine.run('tokens.revoke', [revocation, entriesOf(events)])),
})

const grantStore = (engine: Engine): Store['grants'] => ({
  open: ({ events, ...opening }) => engine.run('grants.open', [opening, entriesOf(events)]),
  openByAssertion: (opening) => engine.run('grants.openByAssertion', [opening]),
  code: (tenant, handle) => engine.read(grants.code(tenant, handle)),
  refresh: (tenant, handle) => engine.read(grants.refresh(tenant, handle)),
  device: (tenant, handle) => engine.read(devices.polled(tenant, handle)),
  find: (tenant, id) => engine.read(grants.find(tenant, id)),
  failVerifier: (tenant, handle, limit, at) => engine.run('grants.failVerifier', [tenant, handle, limit, at]),
  revoke: ({ events, ...revocation }) =>
    acknowledgedEnd(engine, engine.run('grants.revoke', [revocation, entriesOf(events)])),
  clientsOf: (tenant, subject, page) => engine.read(grants.clientsOf(tenant, subject, page)),
  ofSubject: (tenant, subject, page) => engine.read(grants.ofSubject(tenant, subject, page)),
  findUsed: (tenant, id) => engine.read(findUsed(tenant, id)),
  search: (tenant, now, search) => engine.read(searchGrants(tenant, now, search)),
})

const pushedRequestStore = (engine: Engine): Store['pushedRequests'] => ({
  push: (request, basis) => engine.run('pushedRequests.push', [request, basis]),
  find: (tenant, handle) => engine.read(pushedRequests.find(tenant, handle)),
  use: (tenant, handle, at) => engine.run('pushedRequests.use', [tenant, handle, at]),
})

const consentStore = (engine: Engine): Store['consents'] => ({
  inForce: (tenant, subject, clientId, now) => engine.read(consents.inForce({ tenant, subject, clientId, now })),
  ofSubject: (tenant, subject, limit) => engine.read(consents.ofSubject(tenant, subject, limit)),
  find: (tenant, id) => engine.read(findConsent(tenant, id)),
  search: (tenant, search) => engine.read(searchConsents(tenant, search)),
  withdraw: ({ event, grantEvent, ...withdrawal }) =>
    acknowledgedEnd(engine, engine.run('consents.withdraw', [withdrawal, entryOf(event), grantEvent])),
})

const factorStore = (engine: Engine): Store['factors'] => ({
  of: (tenant, subject) => engine.read(factors.of(tenant, subject)),
  passkey: (tenant, id) => engine.read(factors.passkey(tenant, id)),
  passkeys: (tenant, subject) => engine.read(factors.passkeys(tenant, subject)),
  totp: (tenant, subject) => engine.read(factors.totp(tenant, subject)),
  totps: (tenant, { after, limit }) => engine.read(factors.totps(tenant, after, limit)),
  browser: (tenant, handle) => engine.read(rememberedBrowsers.browser(tenant, handle)),
  browsers: (tenant, subject) => engine.read(rememberedBrowsers.browsers(tenant, subject)),
  addPasskey: (passkey, recovery, events) => engine.run('factors.addPasskey', [passkey, recovery, entriesOf(events)]),
  addTotp: (totp, recovery, events) => engine.run('factors.addTotp', [totp, recovery, entriesOf(events)]),
  remove: (removal, events) => engine.run('factors.remove', [removal, entriesOf(events)]),
  replaceRecoveryCodes: (codes, events) => engine.run('factors.replaceRecoveryCodes', [codes, entriesOf(events)]),
  useTotp: (use) => engine.run('factors.useTotp', [use]),
  usePasskey: (use) => engine.run('factors.usePasskey', [use]),
  useRecoveryCode: (use, events) => engine.run('factors.useRecoveryCode', [use, entriesOf(events)]),
  rememberBrowser: (browser, events) => engine.run('factors.rememberBrowser', [browser, entriesOf(events)]),
  seenBrowser: (tenant, id, at) => engine.run('factors.seenBrowser', [tenant, id, at]),
  forgetBrowser: (which, events) => engine.run('factors.forgetBrowser', [which, entriesOf(events)]),
  poseChallenge: (challenge) => engine.run('factors.poseChallenge', [challenge]),
  takeChallenge: (challenge) => engine.run('factors.takeChallenge', [challenge]),
})

const sessionStore = (engine: Engine): Store['sessions'] => ({
  start: (session, replaces, events) => engine.run('sessions.start', [session, replaces, entriesOf(events)]),
  find: (tenant, handle) => engine.read(sessions.find(tenant, handle)),
  byId: (tenant, id) => engine.read(sessions.byId(tenant, id)),
  knownIn: (tenant, browser) => engine.read(sessions.knownIn(tenant, browser)),
  forgetBrowser: (tenant, id) => engine.run('sessions.forgetBrowser', [tenant, id]),
  byUpstream: (tenant, provider, sid) => engine.read(sessions.byUpstream(tenant, provider, sid)),
  livingOf: (tenant, subject, page) => engine.read(sessions.livingOf(tenant, subject, page)),
  search: (tenant, now, search) => engine.read(sessions.search(tenant, now, search)),
  touch: (tenant, id, at) => engine.run('sessions.touch', [tenant, id, at]),
  end: (tenant, id, at, events) =>
    acknowledgedEnd(engine, engine.run('sessions.end', [{ tenant, id, at }, entriesOf(events)])),
  endOnce: ({ ends, ...it }) => {
    const written = ends.map(({ id, events }) => ({ id, entries: entriesOf(events) }))
    return acknowledgedEnd(engine, engine.run('sessions.endOnce', [it, written]))
  },
  parties: (tenant, id) => engine.read(deliveries.partiesOf(tenant, id)),
})

const interactionStore = (engine: Engine): Store['interactions'] => ({
  find: (tenant, handle) => engine.read(interactions.find(tenant, handle)),
  record: (seen, progress) => engine.run('interactions.record', [seen, progress]),
  close: (seen, at) => engine.run('interactions.close', [seen, at]),
})

const keyStore = (engine: Engine): Store['keys'] => ({
  list: (tenant) => engine.read(keys.list(tenant)),
  add: (key, events) => engine.run('keys.add', [key, entriesOf(events)]),
  activate: (tenant, kid, activatesAt, events) =>
    engine.run('keys.activate', [{ tenant, kid, activatesAt }, entriesOf(events)]),
  noteActive: (tenant, kid, at, events) => engine.run('keys.noteActive', [{ tenant, kid, at }, entriesOf(events)]),
  drop: (tenant, kid, at, events) => engine.run('keys.drop', [{ tenant, kid, at }, entriesOf(events)]),
  forget: (tenant, kids, events) => engine.run('keys.forget', [tenant, kids, entriesOf(events)]),
  auditKey: () => engine.read(keys.auditKey()),
  derived: (purpose) => engine.derive(purpose),
  rewrap: (secrets, events) => engine.run('keys.rewrap', [secrets, entriesOf(events)]),
})

const mailStore = (engine: Engine): Store['mails'] => ({
  queue: (mails, events) => engine.run('mails.queue', [mails, entriesOf(events)]),
  takeDue: (now, until) => engine.run('mails.takeDue', [now, until]),
  postpone: (tenant, id, dueAt, why = '') => engine.run('mails.postpone', [tenant, id, dueAt, why]),
  search: (tenant, page) => engine.read(mails.search(tenant, page)),
  find: (tenant, id) => engine.read(mails.find(tenant, id)),
  retry: ({ events, ...change }) => engine.run('mails.retry', [change, entriesOf(events)]),
  drop: ({ events, ...change }) => engine.run('mails.drop', [change, entriesOf(events)]),
  settle: (tenant, id, events) => engine.run('mails.settle', [tenant, id, entriesOf(events)]),
  cursor: () => engine.read(mails.cursor()),
  news: (pos, limit) => engine.read(mails.news(pos, limit)),
  derive: (reading) => engine.run('mails.derive', [reading]),
})
