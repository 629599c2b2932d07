/** The list of verbs that a writer can run, by name. Adding one means one function and one line here. */
import * as apiKeys from './clients/api-keys.ts'
import * as assertions from './clients/assertions.ts'
import { noteUses } from './clients/client-uses.ts'
import * as clients from './clients/clients.ts'
import * as registrations from './clients/registrations.ts'
import * as directory from './directory/directory.ts'
import { removeTenant } from './directory/remove-tenant.ts'
import * as keys from './directory/keys.ts'
import { setBack } from './directory/set-back.ts'
import * as events from './events.ts'
import * as limits from './limits.ts'
import * as locks from './locks.ts'
import * as deliveries from './outgoing/deliveries.ts'
import * as eventDeliveries from './outgoing/event-deliveries.ts'
import * as eventReceivers from './outgoing/event-receivers.ts'
import * as streamSubjects from './outgoing/stream-subjects.ts'
import * as mails from './outgoing/mails.ts'
import { changeMemberships } from './directory/change-memberships.ts'
import * as factors from './people/factors.ts'
import * as identities from './people/identities.ts'
import * as groups from './people/groups.ts'
import * as interactions from './people/interactions.ts'
import * as invitations from './people/invitations.ts'
import * as links from './people/links/links.ts'
import * as signInLinks from './people/links/sign-in-links.ts'
import * as rememberedBrowsers from './people/remembered-browsers.ts'
import * as sessions from './people/sessions.ts'
import * as users from './people/users.ts'
import { remove as removeUser } from './people/remove-user.ts'
import * as signalPolls from './signal-polls.ts'
import { sweep } from './sweep.ts'
import * as backchannel from './tokens/backchannel.ts'
import * as consents from './tokens/consents.ts'
import * as devices from './tokens/devices.ts'
import * as grants from './tokens/grants.ts'
import * as pushedRequests from './tokens/pushed-requests.ts'
import * as statusLists from './tokens/status-lists.ts'
import * as tokens from './tokens/tokens.ts'
import * as usedProofs from './tokens/used-proofs.ts'
import * as validators from './validators.ts'
import type { Verb } from './verb.ts'

/**
 * What a verb may change besides the log. 'directory': also columns that the basis of a decision is checked against
 * (directoryColumns); 'records': anything else. A driver uses it to invalidate its cache of the directory.
 */
export type Touches = 'directory' | 'records'

/**
 * For verbs whose work grows with the data of a client, a tenant or the database; none of them runs with every request.
 */
const always = (): boolean => true
const dropsClients = (changes: readonly directory.Change[]): boolean =>
  changes.some(({ dropClients }) => dropClients.length > 0)

interface DeclaredVerb {
  readonly touches: Touches
  /** Whether one of its statements may take longer than a request waits. */
  readonly patient?: (...args: never[]) => boolean
  readonly steps: (...args: never[]) => Verb<unknown>
}

export const verbs = {
  'apiKeys.add': { touches: 'records', steps: apiKeys.add },
  'apiKeys.revoke': { touches: 'records', steps: apiKeys.revoke },
  'apiKeys.noteUse': { touches: 'records', steps: apiKeys.noteUse },
  'assertions.spend': { touches: 'records', steps: assertions.spend },
  'backchannel.open': { touches: 'records', steps: backchannel.openRequest },
  'backchannel.claim': { touches: 'records', steps: backchannel.claimRequest },
  'backchannel.setUserCode': { touches: 'records', steps: backchannel.setUserCode },
  'backchannel.takeNotification': { touches: 'records', steps: backchannel.takeNotification },
  'backchannel.settleNotification': { touches: 'records', steps: backchannel.settleNotification },
  'clients.create': { touches: 'directory', steps: clients.create },
  'clients.rotateSecret': { touches: 'directory', steps: clients.rotateSecret },
  'clients.replace': { touches: 'directory', steps: clients.replace },
  'clients.noteUses': { touches: 'records', steps: noteUses },
  'clients.remove': { touches: 'directory', patient: always, steps: clients.remove },
  'consents.withdraw': { touches: 'records', steps: consents.withdraw },
  'deliveries.takeDue': { touches: 'records', steps: deliveries.takeDue },
  'deliveries.settle': { touches: 'records', steps: deliveries.settle },
  'devices.open': { touches: 'records', steps: devices.openDevice },
  'devices.claim': { touches: 'records', steps: devices.claim },
  'devices.approve': { touches: 'records', steps: devices.approve },
  'devices.deny': { touches: 'records', steps: devices.deny },
  'devices.refuse': { touches: 'records', steps: devices.refuse },
  'devices.slowDown': { touches: 'records', steps: devices.slowDown },
  'directory.apply': { touches: 'directory', patient: dropsClients, steps: directory.apply },
  'directory.removeTenant': { touches: 'directory', patient: always, steps: removeTenant },
  'directory.beginNewEpoch': { touches: 'directory', patient: always, steps: directory.beginNewEpoch },
  'directory.setBack': { touches: 'directory', patient: always, steps: setBack },
  'eventDeliveries.derive': { touches: 'records', steps: eventDeliveries.derive },
  'eventDeliveries.queue': { touches: 'records', steps: eventDeliveries.queue },
  'eventDeliveries.take': { touches: 'records', steps: eventDeliveries.take },
  'eventDeliveries.settle': { touches: 'records', steps: eventDeliveries.settle },
  'eventDeliveries.acknowledge': { touches: 'records', steps: eventDeliveries.acknowledge },
  'eventDeliveries.replay': { touches: 'records', steps: eventDeliveries.replay },
  'streamSubjects.put': { touches: 'records', steps: streamSubjects.put },
  'eventReceivers.add': { touches: 'records', steps: eventReceivers.add },
  'eventReceivers.replace': { touches: 'records', steps: eventReceivers.replace },
  'eventReceivers.remove': { touches: 'records', steps: eventReceivers.remove },
  'events.append': { touches: 'records', steps: events.append },
  'events.prune': { touches: 'records', steps: events.prune },
  'factors.addPasskey': { touches: 'records', steps: factors.addPasskey },
  'factors.addTotp': { touches: 'records', steps: factors.addTotp },
  'factors.remove': { touches: 'records', steps: factors.remove },
  'factors.replaceRecoveryCodes': { touches: 'records', steps: factors.replaceRecoveryCodes },
  'factors.useTotp': { touches: 'records', steps: factors.useTotp },
  'factors.usePasskey': { touches: 'records', steps: factors.usePasskey },
  'factors.useRecoveryCode': { touches: 'records', steps: factors.useRecoveryCode },
  'factors.rememberBrowser': { touches: 'records', steps: rememberedBrowsers.remember },
  'factors.seenBrowser': { touches: 'records', steps: rememberedBrowsers.seen },
  'factors.forgetBrowser': { touches: 'records', steps: rememberedBrowsers.forget },
  'factors.poseChallenge': { touches: 'records', steps: rememberedBrowsers.poseChallenge },
  'factors.takeChallenge': { touches: 'records', steps: rememberedBrowsers.takeChallenge },
  'grants.open': { touches: 'records', steps: grants.openGrant },
  'grants.openByAssertion': { touches: 'records', steps: grants.openByAssertion },
  'grants.failVerifier': { touches: 'records', steps: grants.failVerifier },
  'grants.revoke': { touches: 'records', steps: grants.revoke },
  'identities.createUser': { touches: 'records', steps: identities.createUser },
  'identities.link': { touches: 'records', steps: identities.link },
  'identities.unlink': { touches: 'records', steps: identities.unlink },
  'identities.leave': { touches: 'records', steps: identities.leave },
  'identities.comeBack': { touches: 'records', steps: identities.comeBack },
  'groups.create': { touches: 'records', steps: groups.create },
  'groups.change': { touches: 'directory', steps: groups.change },
  'groups.remove': { touches: 'directory', steps: groups.remove },
  'interactions.record': { touches: 'records', steps: interactions.record },
  'interactions.close': { touches: 'records', steps: interactions.closeInteraction },
  'invitations.make': { touches: 'records', steps: invitations.make },
  'invitations.accept': { touches: 'records', steps: invitations.accept },
  'invitations.revoke': { touches: 'records', steps: invitations.revoke },
  'keys.add': { touches: 'directory', steps: keys.add },
  'keys.activate': { touches: 'directory', steps: keys.activate },
  'keys.noteActive': { touches: 'records', steps: keys.noteActive },
  'keys.drop': { touches: 'directory', steps: keys.drop },
  'keys.forget': { touches: 'directory', steps: keys.forget },
  'keys.rewrap': { touches: 'records', steps: keys.rewrap },
  'limits.takeUnits': { touches: 'records', steps: limits.takeUnits },
  'limits.giveBackUnits': { touches: 'records', steps: limits.giveBackUnits },
  'limits.noteLock': { touches: 'records', steps: locks.noteLock },
  'limits.unlock': { touches: 'records', steps: locks.unlock },
  'limits.probeWrite': { touches: 'records', steps: limits.probeWrite },
  'links.mail': { touches: 'records', steps: links.mail },
  'links.spend': { touches: 'records', steps: links.spend },
  'signInLinks.mail': { touches: 'records', steps: signInLinks.mail },
  'signInLinks.spend': { touches: 'records', steps: signInLinks.spend },
  'mails.queue': { touches: 'records', steps: mails.queue },
  'mails.takeDue': { touches: 'records', steps: mails.takeDue },
  'mails.postpone': { touches: 'records', steps: mails.postpone },
  'mails.retry': { touches: 'records', steps: mails.retry },
  'mails.drop': { touches: 'records', steps: mails.drop },
  'mails.settle': { touches: 'records', steps: mails.settle },
  'mails.derive': { touches: 'records', steps: mails.derive },
  'pushedRequests.push': { touches: 'records', steps: pushedRequests.push },
  'pushedRequests.use': { touches: 'records', steps: pushedRequests.use },
  'registrations.register': { touches: 'directory', steps: registrations.register },
  'registrations.refresh': { touches: 'directory', steps: registrations.refresh },
  'registrations.reap': { touches: 'directory', steps: registrations.reap },
  'registrations.addToken': { touches: 'records', steps: registrations.addToken },
  'registrations.revokeToken': { touches: 'records', steps: registrations.revokeToken },
  'sessions.start': { touches: 'records', steps: sessions.start },
  'sessions.forgetBrowser': { touches: 'records', steps: sessions.forgetBrowser },
  'sessions.touch': { touches: 'records', steps: sessions.touch },
  'sessions.end': { touches: 'records', steps: sessions.end },
  'sessions.endOnce': { touches: 'records', steps: sessions.endOnce },
  'signalPolls.take': { touches: 'records', steps: signalPolls.take },
  'signalPolls.settle': { touches: 'records', steps: signalPolls.settle },
  'statusLists.lease': { touches: 'records', steps: statusLists.lease },
  sweep: { touches: 'records', steps: sweep },
  'tokens.issue': { touches: 'records', steps: tokens.issue },
  'tokens.useProof': { touches: 'records', steps: usedProofs.useProof },
  'tokens.revoke': { touches: 'records', steps: tokens.revoke },
  'users.create': { touches: 'records', steps: users.create },
  'users.createMany': { touches: 'records', steps: identities.createMany },
  'users.change': { touches: 'records', steps: users.change },
  'users.changeMemberships': { touches: 'directory', steps: changeMemberships },
  'users.remove': { touches: 'records', steps: removeUser },
  'validators.note': { touches: 'records', steps: validators.note },
  'validators.forget': { touches: 'records', steps: validators.forget },
} as const satisfies Readonly<Record<string, DeclaredVerb>>

export type VerbName = keyof typeof verbs
export type VerbArgs<N extends VerbName> = Parameters<(typeof verbs)[N]['steps']>
export type VerbAnswer<N extends VerbName> = ReturnType<(typeof verbs)[N]['steps']> extends Verb<infer T> ? T : never

/** The verb of that name with those arguments, as a driver sees it: its steps, and an opaque answer. */
export const verbOf = (name: VerbName, args: readonly unknown[]): Verb<unknown> =>
  (verbs[name].steps as (...args: readonly unknown[]) => Verb<unknown>)(...args)

export function isPatient(name: VerbName, args: readonly unknown[]): boolean {
  const { patient }: DeclaredVerb = verbs[name]
  return (patient as ((...args: readonly unknown[]) => boolean) | undefined)?.(...args) ?? false
}
