/** What the package publishes. */
export type { EndpointRequest, EndpointResult } from './endpoint.ts'
export type { Admin } from './admin/admin.ts'
export type { Ports } from './ports/ports.ts'
export {
  type ClientAuthorities,
  type Clock,
  clockOf,
  type Ids,
  type Issuers,
  noClientAuthorities,
} from './ports/environment.ts'
export type { Vault } from './ports/vault.ts'
export * from './ports/ldap.ts'
export type * from './ports/outbound.ts'
export { type Authority, builtIn, type Extensions, openAuthority } from './authority.ts'
export { KeyUnopened } from './keys/keyring.ts'
export type { Origin, RefusedRequest } from './events.ts'
export type { Declaration, Plan, PlanStep } from './admin/declared/declaration.ts'
export type { SignalStream } from './admin/operations/streams.ts'
export type { Webhook } from './admin/operations/webhooks.ts'
export type { EventSearch } from './admin/event-search.ts'
export type { ReceiptedRevocation } from './admin/operations/revocations.ts'
export type { CatalogueKind, Versioned } from './admin/catalogue/catalogue.ts'
export type { ShownProvider } from './admin/providers/kept-provider.ts'
export type { ShownKey } from './admin/keys.ts'
export type { ConsentAdmin, GrantAdmin, GrantsOf, SessionAdmin } from './admin/access.ts'
export type { ImportedUser } from './admin/people/create-user.ts'
export type { GroupAdmin, GroupInput, GroupUpdate } from './admin/people/groups.ts'
export type { ImportOutcome } from './admin/people/import-users.ts'
export {
  longestInvitation,
  type MadeInvitation,
  usualInvitation,
  type WaitingInvitation,
} from './admin/people/invitations.ts'
export type { PersonRecord } from './admin/people/user-records.ts'
export { type MethodRemoval, removableMethods, type SignInMethodRecord } from './admin/people/sign-in-methods.ts'
export type { AdminError, AdminResult, FieldProblem } from './admin/result.ts'
export { auditKeyContext } from './admin/rewrap.ts'
export { isTenantName } from './admin/declared/tenant-name.ts'
export { deviceOf } from './people/device-name.ts'
export { HashingBusy } from './people/hashing-queue.ts'
export { minPasswordLength, passwordFormProblem, type PasswordPolicy, usualPasswords } from './people/password.ts'
export { localPeople } from './people/local.ts'
export type { People, Proof } from './ports/people.ts'
export { addressKey, type LimitName, type Limits, limits } from './limits/limits.ts'
export type { Limiter } from './ports/limiter.ts'
export { sharedLimiter, type SharedLimiterParts } from './limits/shared-limiter.ts'
export { memoryLimiter } from './limits/memory-limiter.ts'
export {
  type Activity,
  type ActivityGroup,
  activityGroups,
  type ActivityKind,
  type ActivityPage,
} from './account/activity.ts'
export type { AccountFactors, FactorAddition, FactorRemoval, SignInMethods } from './account/sign-in-methods.ts'
export type { RequestAnswer, WaitingRequest, WaitingRequests } from './backchannel/waiting-requests.ts'
export type { DeletionOutcome } from './account/deletion.ts'
export { type Profile, type ProfileChange, type ProfileField, profileFields } from './account/profile.ts'
export type { ConnectedApp } from './account/apps.ts'
export { firstOwner, type FirstOwnerOutcome } from './admin/first-owner.ts'
export type { NewPasswordOutcome, PasswordChange } from './account/change-password.ts'
export type { DeviceEndpointRequest } from './device/device-authorization.ts'
export type { LogoutStart, LogoutResponse } from './logout/rp-initiated.ts'
export type { EndedSessions } from './logout/end-sessions.ts'
export type { Browser } from './browser.ts'
export type {
  InteractionQuestion,
  SecondFactorQuestion,
  InteractionResponse,
  InteractionResult,
  DisplayedAccount,
  DisplayedClient,
  SignInOutcome,
} from './interact/response.ts'
export type { UserCodeEntry } from './interact/enter-user-code.ts'
export type { AccountSignIn } from './account/sign-in.ts'
export type { FactorAnswer, SecondFactor } from './interact/second-factor.ts'
export { longestInteraction } from './interact/sealed-interaction.ts'
export type { InteractionVisit } from './interact/steps.ts'
export type { Account, CookieChanges, Visitor } from './interact/visitor.ts'
export { type ProviderArrival, type ProviderProblem, providerProblems } from './providers/arrival.ts'
export type { Departure, VisitPurpose } from './providers/departure.ts'
export type { LinkedProvider } from './providers/own-links.ts'
export {
  type DisplayedProvider,
  providerChoice,
  type ProviderChoice,
  providerFor,
} from './providers/served-providers.ts'
export type { UpstreamLogoutOutcome } from './providers/backchannel-logout.ts'
export type * from './ports/mail.ts'
export type { AccountMail } from './account/account-mail.ts'
export type { SignInLinkRequestOutcome } from './sign-in-link/request.ts'
export type { AddressLinkOutcome, AddressConfirmation, AccountAddress } from './account/email-address.ts'
export type { ResetRequestOutcome, ResetOutcome } from './account/reset-password.ts'
export type { AcceptanceOutcome, OfferedAccount, ShownInvitation } from './sign-up/accept.ts'
export type { SignUpRequestOutcome } from './sign-up/request.ts'
export type { ManagementRequest } from './clients/manage-registration.ts'
export type { RegistrationRequest } from './clients/register.ts'
export type { UserinfoError, UserinfoResponse, UserinfoResult } from './tokens/userinfo.ts'
export type { WaitingMail } from './admin/mails.ts'
export type { Lock } from './ports/limiter.ts'
export type { CountedSeries, StatisticsQuery } from './admin/statistics.ts'
export type { TrustedIssuerState } from './admin/trusted-issuers.ts'
export type { AuditReport, Damage, KeptHead } from './admin/verify-log.ts'
export type { Logo } from './clients/logos.ts'
export type { Acknowledgements, FeedReaderName } from './feed/acknowledgements.ts'
export type { Feed, FeedPosition } from './feed/feed.ts'
export type { ScimCall, ScimCollection, ScimTarget } from './scim/collection.ts'
export type { ScimPage, ScimQuery, ScimResource, ScimResult } from './scim/result.ts'
export type { Scim } from './scim/scim.ts'
export type { SharedSignals } from './ssf/ssf.ts'
export type { SsfError, SsfResult } from './ssf/result.ts'
export type { SsfCall } from './ssf/streams.ts'
export { digestOf, versionTag, versionWith } from './scim/version-tag.ts'
export { settleSetBack } from './background/set-back.ts'
export type { SignUpHook } from './sign-up/ask-hook.ts'
