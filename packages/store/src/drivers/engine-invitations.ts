/** Invitations over a driver's engine. */
import type { Store } from '../contract/store.ts'
import { entriesOf } from '../verbs/entry.ts'
import * as invitations from '../verbs/people/invitations.ts'
import type { Engine } from './engine.ts'

/** Greater than every id. */
const last = '\u007f'

export const invitationStore = (engine: Engine): Store['invitations'] => ({
  find: (tenant, handle) => engine.read(invitations.find(tenant, handle)),
  byId: (tenant, id) => engine.read(invitations.byId(tenant, id)),
  waiting: (tenant, { before, ...page }) =>
    engine.read(invitations.waiting(tenant, { ...page, before: before ?? last })),
  make: ({ events, ...making }) => engine.run('invitations.make', [making, entriesOf(events)]),
  accept: ({ events, ...acceptance }) => engine.run('invitations.accept', [acceptance, entriesOf(events)]),
  revoke: (tenant, id, events) => engine.run('invitations.revoke', [tenant, id, entriesOf(events)]),
})
