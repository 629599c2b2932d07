/** The part of the Store for identities of people at other providers, over a driver's engine. */
import type { Store } from '../contract/store.ts'
import { entriesOf } from '../verbs/entry.ts'
import * as identities from '../verbs/people/identities.ts'
import type { Engine } from './engine.ts'

export const identityStore = (engine: Engine): Store['identities'] => ({
  find: (tenant, name) => engine.read(identities.find(tenant, name)),
  of: (tenant, subject) => engine.read(identities.of(tenant, subject)),
  leadsToAdministrator: (tenant, provider) => engine.read(identities.leadsToAdministrator(tenant, provider)),
  createUser: (user, name, events) => engine.run('identities.createUser', [user, name, entriesOf(events)]),
  link: (identity, events) => engine.run('identities.link', [identity, entriesOf(events)]),
  unlink: (which, events) => engine.run('identities.unlink', [which, entriesOf(events)]),
  leave: (visit) => engine.run('identities.leave', [visit]),
  comeBack: (visit) => engine.run('identities.comeBack', [visit]),
})
