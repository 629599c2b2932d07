/** Invitations and mailed links over a driver's engine. */
import type { Store } from '../contract/store.ts'
import { entriesOf } from '../verbs/entry.ts'
import * as invitations from '../verbs/people/invitations.ts'
import * as links from '../verbs/people/links/links.ts'
import * as signInLinks from '../verbs/people/links/sign-in-links.ts'
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

export const linkStore = (engine: Engine): Store['links'] => ({
  find: (tenant, handle) => engine.read(links.find(tenant, handle)),
  mail: ({ events, ...mailing }) => engine.run('links.mail', [mailing, entriesOf(events)]),
  spend: ({ events, ...spending }) => engine.run('links.spend', [spending, entriesOf(events)]),
})

export const signInLinkStore = (engine: Engine): Store['signInLinks'] => ({
  find: (tenant, handle) => engine.read(signInLinks.find(tenant, handle)),
  mail: ({ events, ...mailing }) => engine.run('signInLinks.mail', [mailing, entriesOf(events)]),
  spend: (spending) => engine.run('signInLinks.spend', [spending]),
})
