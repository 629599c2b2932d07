/** The storage contract: reads, and verbs. A verb is one atomic commit with its events. There is no transaction handle. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant } from '@grantor/protocol/types'
import type { ApiKeyStore } from './clients/api-keys.ts'
import type { AssertionStore } from './clients/assertions.ts'
import type { ClientStore } from './clients/clients.ts'
import type { RegistrationStore } from './clients/registrations.ts'
import type { DirectoryStore } from './directory/directory.ts'
import type { KeyStore } from './directory/keys.ts'
import type { EventStore } from './events.ts'
import type { LimitStore } from './limits.ts'
import type { DeliveryStore } from './outgoing/deliveries.ts'
import type { EventDeliveryStore } from './outgoing/event-deliveries.ts'
import type { StreamSubjectStore } from './outgoing/stream-subjects.ts'
import type { ReceiverStore } from './outgoing/event-receivers.ts'
import type { MailStore } from './outgoing/mails.ts'
import type { FactorStore } from './people/factors.ts'
import type { IdentityStore } from './people/identities.ts'
import type { GroupStore } from './people/groups.ts'
import type { InteractionStore } from './people/interactions.ts'
import type { InvitationStore } from './people/invitations.ts'
import type { LinkStore } from './people/links.ts'
import type { SignInLinkStore } from './people/sign-in-links.ts'
import type { SessionStore } from './people/sessions.ts'
import type { UserStore } from './people/users.ts'
import type { SignalPollStore } from './signal-polls.ts'
import type { StatisticsStore } from './statistics.ts'
import type { ValidatorStore } from './validators.ts'
import type { BackchannelStore } from './tokens/backchannel.ts'
import type { ConsentStore } from './tokens/consents.ts'
import type { DeviceStore } from './tokens/devices.ts'
import type { GrantStore } from './tokens/grants.ts'
import type { PushedRequestStore } from './tokens/pushed-requests.ts'
import type { StatusListStore } from './tokens/status-lists.ts'
import type { TokenStore } from './tokens/tokens.ts'
import type { UnreadableRows } from './unreadable.ts'

export interface Store {
  readonly directory: DirectoryStore
  readonly clients: ClientStore
  readonly registrations: RegistrationStore
  readonly apiKeys: ApiKeyStore
  readonly assertions: AssertionStore
  readonly tokens: TokenStore
  readonly statusLists: StatusListStore
  readonly grants: GrantStore
  readonly devices: DeviceStore
  readonly backchannel: BackchannelStore
  readonly pushedRequests: PushedRequestStore
  readonly consents: ConsentStore
  readonly users: UserStore
  readonly groups: GroupStore
  readonly factors: FactorStore
  readonly identities: IdentityStore
  readonly sessions: SessionStore
  readonly deliveries: DeliveryStore
  readonly eventReceivers: ReceiverStore
  readonly eventDeliveries: EventDeliveryStore
  readonly streamSubjects: StreamSubjectStore
  readonly signalPolls: SignalPollStore
  readonly interactions: InteractionStore
  readonly keys: KeyStore
  readonly events: EventStore
  readonly statistics: StatisticsStore
  readonly validators: ValidatorStore
  readonly limits: LimitStore
  readonly mails: MailStore
  readonly links: LinkStore
  readonly signInLinks: SignInLinkStore
  readonly invitations: InvitationStore
  /** Identifies this life of the database; a restore begins another. */
  epoch(): Promise<string>
  /**
   * Begins another life after a restore: the database lacks what was spent and revoked since its backup, so every
   * grant, opaque token, API key, session, open interaction, pushed request and waiting device in it ends. Returns the
   * new epoch.
   */
  beginNewEpoch(at: Instant, events: readonly NewEvent[]): Promise<string>
  /**
   * The clock was set back, from the latest time that was used to `at`: drops every signing key, ends every opaque
   * token and every recorded cutoff, and corrects times that the wrong clock made, so that nothing waits for them or
   * lives until them. `event` records it, after those of the keys.
   */
  setBack(it: { readonly from: Instant; readonly at: Instant; readonly event: NewEvent }): Promise<void>
  /** Deletes expired rows, at most `limit` of a kind; returns how many. Nothing depends on it. */
  sweep(now: Instant, limit: number): Promise<number>
  /** Rows of the directory that are set aside because they cannot be read. */
  readonly unreadable: UnreadableRows
  /** The time of the database's clock, which all nodes share; null for a single node. */
  time(): Promise<Instant | null>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /**
   * Resolves when everything that can be read now is as durable as acknowledged commits. It may be readable earlier: on
   * PostgreSQL a commit whose wait for a standby was abandoned is visible, though its caller got an error.
   */
  untilDurable(): Promise<void>
  /** Resolves when a write of no other use is durable, as proof that writes work now. */
  probeWrite(at: Instant): Promise<void>
  close(): Promise<void>
}

/**
 * Thrown by any read or verb when the database cannot be used: away, full, locked. Nothing was changed, or the outcome
 * is unknown.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/**
 * Thrown for an unreadable row that must not be left out (keys, revocations, grants, the log); the message names it.
 */
export class StoreUnreadable extends StoreUnavailable {}

/**
 * Thrown when opening is refused for a reason that waiting does not cure: the file is used by another server, or the
 * schema is unknown.
 */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
