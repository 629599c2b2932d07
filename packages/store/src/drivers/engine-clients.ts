/** The part of the Store for clients: their metadata, their registrations, and their API keys. */
import type { Store } from '../contract/store.ts'
import * as apiKeys from '../verbs/clients/api-keys.ts'
import * as clients from '../verbs/clients/clients.ts'
import * as registrations from '../verbs/clients/registrations.ts'
import { entriesOf } from '../verbs/entry.ts'
import type { SetAsideRows } from '../verbs/set-aside.ts'
import { acknowledgedEnd, type Engine } from './engine.ts'

export const clientStore = (engine: Engine, aside: SetAsideRows): Store['clients'] => ({
  find: (tenant, id) => engine.read(clients.find(aside, tenant, id)),
  list: (tenant, { after, limit, descending = false }) =>
    engine.read(clients.list(aside, tenant, { after, limit, descending })),
  namedAsPeople: () => engine.read(clients.namedAsPeople(aside)),
  create: (client, events) => engine.run('clients.create', [client, entriesOf(events)]),
  rotateSecret: ({ events, ...rotation }) => engine.run('clients.rotateSecret', [rotation, entriesOf(events)]),
  replace: ({ events, ...change }) => engine.run('clients.replace', [change, entriesOf(events)]),
  noteUses: (uses) => engine.run('clients.noteUses', [uses]),
  remove: (tenant, which, at, events) => engine.run('clients.remove', [tenant, which, at, entriesOf(events)]),
})

export const registrationStore = (engine: Engine): Store['registrations'] => ({
  register: ({ events, ...registration }) => engine.run('registrations.register', [registration, entriesOf(events)]),
  access: (tenant, id) => engine.read(registrations.access(tenant, id)),
  refresh: ({ events, ...it }) => engine.run('registrations.refresh', [it, entriesOf(events)]),
  hasGrants: (tenant, id, now) => engine.read(registrations.hasGrants(tenant, id, now)),
  unused: () => engine.read(registrations.unused()),
  reap: ({ event, ...reaping }) => engine.run('registrations.reap', [reaping, event]),
  addToken: (token, events) => engine.run('registrations.addToken', [token, entriesOf(events)]),
  tokens: (tenant, page) => engine.read(registrations.tokens(tenant, page)),
  tokenById: (tenant, id) => engine.read(registrations.tokenById(tenant, id)),
  token: (tenant, handle, now) => engine.read(registrations.token(tenant, handle, now)),
  revokeToken: (tenant, id, events) => engine.run('registrations.revokeToken', [tenant, id, entriesOf(events)]),
})

export const apiKeyStore = (engine: Engine): Store['apiKeys'] => ({
  add: (key, events) => engine.run('apiKeys.add', [key, entriesOf(events)]),
  byHandle: (tenant, handle) => engine.read(apiKeys.byHandle(tenant, handle)),
  find: (tenant, id) => engine.read(apiKeys.find(tenant, id)),
  list: (tenant, page) => engine.read(apiKeys.list(tenant, page)),
  revoke: ({ events, ...revocation }) =>
    acknowledgedEnd(engine, engine.run('apiKeys.revoke', [revocation, entriesOf(events)])),
  noteUse: (tenant, id, at) => engine.run('apiKeys.noteUse', [tenant, id, at]),
})
