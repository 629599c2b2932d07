/** The administration without a console: one file per resource; an outage is a result, not an exception. */
import { err } from '@grantor/protocol/result'
import { isOutage } from '../outage.ts'
import { type ApiKeyAdmin, type ApiKeyAdminDependencies, openApiKeyAdmin } from './api-keys.ts'
import {
  type AccessAdminDependencies,
  type ConsentAdmin,
  type GrantAdmin,
  openConsentAdmin,
  openGrantAdmin,
  openSessionAdmin,
  type SessionAdmin,
} from './access.ts'
import { type CatalogueAdmin, type CatalogueAdminDependencies, openCatalogueAdmin } from './catalogue/catalogue.ts'
import { type HookAdmin, type HookAdminDependencies, openHookAdmin } from './catalogue/hook-secret.ts'
import { type ClientAdmin, type ClientAdminDependencies, openClientAdmin } from './clients.ts'
import { type DeclaredAdmin, type DeclaredAdminDependencies, openDeclaredAdmin } from './declared/declared.ts'
import { type DeploymentAdmin, type DeploymentAdminDependencies, openDeploymentAdmin } from './deployment.ts'
import { type DeviceAdmin, type DeviceAdminDependencies, openDeviceAdmin } from './devices.ts'
import { type EventAdmin, type EventAdminDependencies, openEventAdmin } from './events.ts'
import { type GroupAdmin, type GroupAdminDependencies, openGroupAdmin } from './people/groups.ts'
import { type KeyAdmin, type KeyAdminDependencies, openKeyAdmin } from './keys.ts'
import { type LockAdmin, type LockAdminDependencies, openLockAdmin } from './operations/locks.ts'
import { type MailAdmin, type MailAdminDependencies, openMailAdmin } from './mails.ts'
import { openProviderAdmin, type ProviderAdmin, type ProviderAdminDependencies } from './providers/providers.ts'
import {
  openRevocationAdmin,
  type RevocationAdmin,
  type RevocationAdminDependencies,
} from './operations/revocations.ts'
import {
  openRegistrationTokenAdmin,
  type RegistrationTokenAdmin,
  type RegistrationTokenAdminDependencies,
} from './registration-tokens.ts'
import { type FirstOwnerAdmin, openFirstOwnerAdmin } from './first-owner.ts'
import { openStatisticsAdmin, type StatisticsAdmin, type StatisticsAdminDependencies } from './statistics.ts'
import { openTenantAdmin, type TenantAdmin, type TenantAdminDependencies } from './tenants.ts'
import { openTokenAdmin, type TokenAdmin, type TokenAdminDependencies } from './tokens.ts'
import {
  openTrustedIssuerAdmin,
  type TrustedIssuerAdmin,
  type TrustedIssuerAdminDependencies,
} from './trusted-issuers.ts'
import { openUserAdmin, type UserAdmin, type UserAdminDependencies } from './people/users.ts'
import {
  openValidationReportAdmin,
  type ValidationReportAdmin,
  type ValidationReportAdminDependencies,
} from './validation-reports.ts'
import { openStreamAdmin, type StreamAdmin, type StreamAdminDependencies } from './operations/streams.ts'
import { openWebhookAdmin, type WebhookAdmin, type WebhookAdminDependencies } from './operations/webhooks.ts'

/** Every act names its actor, which is recorded in the event. */
export interface Admin {
  readonly clients: ClientAdmin
  /** Initial access tokens (RFC 7591 §3). */
  readonly registrationTokens: RegistrationTokenAdmin
  readonly apiKeys: ApiKeyAdmin
  readonly tokens: TokenAdmin
  readonly events: EventAdmin
  readonly revocations: RevocationAdmin
  readonly reports: ValidationReportAdmin
  readonly statistics: StatisticsAdmin
  readonly locks: LockAdmin
  readonly mails: MailAdmin
  readonly webhooks: WebhookAdmin
  readonly streams: StreamAdmin
  readonly keys: KeyAdmin
  readonly tenants: TenantAdmin
  readonly resources: CatalogueAdmin['resources']
  readonly scopes: CatalogueAdmin['scopes']
  readonly roles: CatalogueAdmin['roles']
  readonly hooks: HookAdmin
  readonly groups: GroupAdmin
  readonly trustedIssuers: TrustedIssuerAdmin
  readonly providers: ProviderAdmin
  readonly users: UserAdmin
  readonly devices: DeviceAdmin
  readonly sessions: SessionAdmin
  readonly grants: GrantAdmin
  readonly consents: ConsentAdmin
  readonly firstOwner: FirstOwnerAdmin
  readonly deployment: DeploymentAdmin
  readonly declared: DeclaredAdmin
}

export type AdminDependencies = ClientAdminDependencies &
  RegistrationTokenAdminDependencies &
  ApiKeyAdminDependencies &
  TokenAdminDependencies &
  EventAdminDependencies &
  RevocationAdminDependencies &
  ValidationReportAdminDependencies &
  StatisticsAdminDependencies &
  LockAdminDependencies &
  MailAdminDependencies &
  WebhookAdminDependencies &
  StreamAdminDependencies &
  KeyAdminDependencies &
  TenantAdminDependencies &
  CatalogueAdminDependencies &
  HookAdminDependencies &
  TrustedIssuerAdminDependencies &
  ProviderAdminDependencies &
  UserAdminDependencies &
  GroupAdminDependencies &
  AccessAdminDependencies &
  DeviceAdminDependencies &
  DeploymentAdminDependencies &
  DeclaredAdminDependencies

export function openAdmin(deps: AdminDependencies): Admin {
  const events = openEventAdmin(deps)
  const catalogue = openCatalogueAdmin(deps)
  return {
    clients: guarded(openClientAdmin(deps)),
    registrationTokens: guarded(openRegistrationTokenAdmin(deps)),
    apiKeys: guarded(openApiKeyAdmin(deps)),
    tokens: guarded(openTokenAdmin(deps)),
    events: { ...guarded(events), watch: events.watch },
    revocations: guarded(openRevocationAdmin(deps, events)),
    reports: guarded(openValidationReportAdmin(deps)),
    statistics: guarded(openStatisticsAdmin(deps)),
    locks: guarded(openLockAdmin(deps)),
    mails: guarded(openMailAdmin(deps)),
    webhooks: guarded(openWebhookAdmin(deps)),
    streams: guarded(openStreamAdmin(deps)),
    keys: guarded(openKeyAdmin(deps)),
    tenants: guarded(openTenantAdmin(deps)),
    resources: guarded(catalogue.resources),
    scopes: guarded(catalogue.scopes),
    roles: guarded(catalogue.roles),
    hooks: guarded(openHookAdmin(deps)),
    groups: guarded(openGroupAdmin(deps)),
    trustedIssuers: guarded(openTrustedIssuerAdmin(deps)),
    providers: guarded(openProviderAdmin(deps)),
    users: guarded(openUserAdmin(deps)),
    devices: guarded(openDeviceAdmin(deps)),
    sessions: guarded(openSessionAdmin(deps)),
    grants: guarded(openGrantAdmin(deps)),
    consents: guarded(openConsentAdmin(deps)),
    firstOwner: guarded(openFirstOwnerAdmin(deps)),
    deployment: guarded(openDeploymentAdmin(deps)),
    declared: guarded(openDeclaredAdmin(deps)),
  }
}

function guarded<T extends object>(acts: T): T {
  const entries = Object.entries(acts).map(([name, act]: [string, (...args: unknown[]) => unknown]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await act(...args)
      } catch (cause) {
        if (isOutage(cause)) return err({ reason: 'unavailable' })
        throw cause
      }
    },
  ])
  return Object.fromEntries(entries) as T
}
