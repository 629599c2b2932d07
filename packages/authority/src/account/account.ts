/**
 * What people do with their own account: list and end the access of apps, list and end sessions, change the password.
 */
import {
  openWaitingRequests,
  type WaitingRequestDependencies,
  type WaitingRequests,
} from '../backchannel/waiting-requests.ts'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Account, Visitor } from '../interact/visitor.ts'
import type { DepartureDependencies } from '../providers/departure.ts'
import { openOwnLinks, type OwnLinks } from '../providers/own-links.ts'
import { type ActivityDependencies, activityOf, type ActivityPage, type ActivityQuery } from './activity.ts'
import { type AppDependencies, type AppsPage, connectedApps, disconnectAll, disconnectApp } from './apps.ts'
import {
  changePassword,
  type ChangePasswordDependencies,
  chooseNewPassword,
  hasPassword,
  type NewPassword,
  type NewPasswordOutcome,
  type PasswordChange,
} from './change-password.ts'
import { deletionDue, type DeletionDependencies, type DeletionOutcome, requestDeletion } from './deletion.ts'
import { newestReceipt, type OwnReceipt, type OwnReceiptDependencies } from './receipt.ts'
import { ownData, type OwnDataDependencies } from './own-data.ts'
import { changeProfile, type Profile, type ProfileChange, type ProfileDependencies, profileOf } from './profile.ts'
import { endOtherSessions, endSession, type OwnSessionDependencies, sessionsOf, type SessionsPage } from './sessions.ts'
import { type AccountFactorDependencies, type AccountFactors, openAccountFactors } from './sign-in-methods.ts'

export type OwnAccountDependencies = AppDependencies &
  OwnSessionDependencies &
  ChangePasswordDependencies &
  AccountFactorDependencies &
  ActivityDependencies &
  DepartureDependencies &
  ProfileDependencies &
  OwnDataDependencies &
  OwnReceiptDependencies &
  DeletionDependencies &
  WaitingRequestDependencies

export interface OwnAccount {
  readonly factors: AccountFactors
  /** Links to other providers by which the person signs in. */
  readonly links: OwnLinks
  /** CIBA requests that wait for the person. */
  readonly requests: WaitingRequests
  /** `after` is the `further` of the previous page. */
  apps(account: Account, after: string | null): Promise<AppsPage>
  disconnect(clientId: string, account: Account, visitor: Visitor): Promise<void>
  disconnectAll(account: Account, visitor: Visitor): Promise<void>
  /** Newest first; `before` is the `older` of the previous page. */
  sessions(account: Account, before: string | null): Promise<SessionsPage>
  endOtherSessions(account: Account, visitor: Visitor): Promise<void>
  /** The receipt of the person's newest revocation, after a moment; null where there was none. */
  newestReceipt(account: Account): Promise<OwnReceipt | null>
  /** Newest first; `before` is the `older` of the previous page. */
  activity(account: Account, query: ActivityQuery): Promise<ActivityPage>
  profile(account: Account): Profile
  changeProfile(account: Account, changed: Partial<Profile>, visitor: Visitor): Promise<ProfileChange>
  /** All data held about the person. */
  data(account: Account): Promise<JsonObject>
  /** When the account would be removed if its deletion were requested now. */
  deletionDue(): Instant
  requestDeletion(account: Account, password: string, visitor: Visitor): Promise<DeletionOutcome>
  endSession(id: string, account: Account, visitor: Visitor): Promise<void>
  /** Whether a password is stored here: people who use providers, passkeys or links alone have none. */
  hasPassword(account: Account): Promise<boolean>
  changePassword(account: Account, by: NewPassword, visitor: Visitor): Promise<PasswordChange>
  /** For a person who must: replaces the temporary password. */
  chooseNewPassword(account: Account, password: string, visitor: Visitor): Promise<NewPasswordOutcome>
}

export function openOwnAccount(deps: OwnAccountDependencies): OwnAccount {
  const factors = openAccountFactors(deps)
  return { ...ownActs(deps), factors, links: openOwnLinks(factors.mayChange, deps) }
}

const ownActs = (deps: OwnAccountDependencies): Omit<OwnAccount, 'factors' | 'links'> => ({
  requests: openWaitingRequests(deps),
  apps: (account, after) => connectedApps(account, after, deps),
  disconnectAll: (account, visitor) => disconnectAll(account, visitor, deps),
  disconnect: (clientId, account, visitor) => disconnectApp(clientId, account, visitor, deps),
  sessions: (account, before) => sessionsOf(account, before, deps),
  endOtherSessions: (account, visitor) => endOtherSessions(account, visitor, deps),
  newestReceipt: (account) => newestReceipt(account, deps),
  activity: (account, query) => activityOf(account, query, deps),
  profile: ({ person }) => profileOf(person),
  changeProfile: (account, changed, visitor) => changeProfile(account, changed, visitor, deps),
  data: (account) => ownData(account, deps),
  deletionDue: () => deletionDue(deps),
  requestDeletion: (account, password, visitor) => requestDeletion(account, password, visitor, deps),
  endSession: (id, account, visitor) => endSession(id, account, visitor, deps),
  hasPassword: (account) => hasPassword(account, deps),
  changePassword: (account, by, visitor) => changePassword(account, by, visitor, deps),
  chooseNewPassword: (account, password, visitor) => chooseNewPassword(account, password, visitor, deps),
})
