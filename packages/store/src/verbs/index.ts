/** The list of verbs: what may be asked of a writer, by name. Adding one means one function and one line here. */
import type { Verb } from './verb.ts'
import * as assertions from './clients/assertions.ts'
import * as clients from './clients/clients.ts'
import * as consents from './tokens/consents.ts'
import * as deliveries from './outgoing/deliveries.ts'
import * as devices from './tokens/devices.ts'
import * as directory from './directory/directory.ts'
import * as events from './events.ts'
import * as factors from './people/factors.ts'
import * as grants from './tokens/grants.ts'
import * as interactions from './people/interactions.ts'
import * as keys from './directory/keys.ts'
import * as limits from './limits.ts'
import * as rememberedBrowsers from './people/remembered-browsers.ts'
import * as links from './people/links.ts'
import * as mails from './outgoing/mails.ts'
import * as registrations from './clients/registrations.ts'
import * as sessions from './people/sessions.ts'
import { sweep } from './sweep.ts'
import * as tokens from './tokens/tokens.ts'
import * as users from './people/users.ts'

export const verbs = {
  'assertions.spend': assertions.spend,
  'clients.create': clients.create,
  'clients.rotateSecret': clients.rotateSecret,
  'clients.replace': clients.replace,
  'clients.remove': clients.remove,
  'consents.withdraw': consents.withdraw,
  'deliveries.take': deliveries.take,
  'deliveries.settle': deliveries.settle,
  'devices.open': devices.open,
  'devices.claim': devices.claim,
  'devices.approve': devices.approve,
  'devices.deny': devices.deny,
  'devices.slowDown': devices.slowDown,
  'directory.apply': directory.apply,
  'directory.removeTenant': directory.removeTenant,
  'directory.beginNewEpoch': directory.beginNewEpoch,
  'events.append': events.append,
  'events.prune': events.prune,
  'factors.addPasskey': factors.addPasskey,
  'factors.addTotp': factors.addTotp,
  'factors.remove': factors.remove,
  'factors.replaceRecoveryCodes': factors.replaceRecoveryCodes,
  'factors.useTotp': factors.useTotp,
  'factors.usePasskey': factors.usePasskey,
  'factors.useRecoveryCode': factors.useRecoveryCode,
  'factors.rememberBrowser': rememberedBrowsers.remember,
  'factors.seenBrowser': rememberedBrowsers.seen,
  'factors.forgetBrowser': rememberedBrowsers.forget,
  'factors.pose': rememberedBrowsers.pose,
  'factors.take': rememberedBrowsers.take,
  'grants.open': grants.open,
  'grants.failVerifier': grants.failVerifier,
  'grants.revoke': grants.revoke,
  'interactions.open': interactions.open,
  'interactions.record': interactions.record,
  'interactions.close': interactions.close,
  'keys.add': keys.add,
  'keys.activate': keys.activate,
  'keys.noteActive': keys.noteActive,
  'keys.drop': keys.drop,
  'keys.forget': keys.forget,
  'keys.rewrap': keys.rewrap,
  'limits.take': limits.take,
  'limits.giveBack': limits.giveBack,
  'links.mail': links.mail,
  'links.spend': links.spend,
  'mails.queue': mails.queue,
  'mails.take': mails.take,
  'mails.again': mails.again,
  'mails.done': mails.done,
  'mails.derive': mails.derive,
  'registrations.register': registrations.register,
  'registrations.refresh': registrations.refresh,
  'registrations.reap': registrations.reap,
  'registrations.addToken': registrations.addToken,
  'registrations.revokeToken': registrations.revokeToken,
  'sessions.start': sessions.start,
  'sessions.touch': sessions.touch,
  'sessions.end': sessions.end,
  sweep: sweep,
  'tokens.issue': tokens.issue,
  'tokens.revoke': tokens.revoke,
  'users.create': users.create,
  'users.change': users.change,
} as const

export type VerbName = keyof typeof verbs
export type VerbArgs<N extends VerbName> = Parameters<(typeof verbs)[N]>
export type VerbAnswer<N extends VerbName> = ReturnType<(typeof verbs)[N]> extends Verb<infer T> ? T : never

/** The verb of that name over those arguments, as a driver sees it: its steps, and an answer it does not look into. */
export const verbOf = (name: VerbName, args: readonly unknown[]): Verb<unknown> =>
  (verbs[name] as (...args: readonly unknown[]) => Verb<unknown>)(...args)
