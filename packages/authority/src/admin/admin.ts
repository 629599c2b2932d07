/** The authority as others see it: the endpoints without HTTP, and the administration without a console. */
import type { Actor, ReportBatch, SealedEvent } from '@grantor/protocol/events'
import type { KeyRecord } from '@grantor/protocol/jose'
import type { Tenant } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import type { RegistrationToken } from '@grantor/store'
import type { AuditReport, KeptHead } from './verify-log.ts'
import type { Declaration, ApplyOptions, Plan } from './declared/declaration.ts'
import type { EventSearch } from './event-search.ts'
import type { AdminResult } from './result.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import type { Browser } from '../browser.ts'
import type { DeviceEndpointRequest } from '../tokens/device-authorization.ts'
import type { Origin } from '../events.ts'
import type { Feed } from '../feed/feed.ts'
import type { Logo } from '../clients/logos.ts'
import type { ManagementRequest } from '../clients/manage-registration.ts'
import type { RegistrationRequest } from '../clients/register.ts'
import type { UserinfoResult } from '../tokens/userinfo.ts'

export interface Authority {
  token(request: EndpointRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 8628 §3.1. */
  deviceAuthorization(request: DeviceEndpointRequest): Promise<EndpointResult<JsonObject>>
  introspect(request: EndpointRequest): Promise<EndpointResult<JsonObject>>
  revoke(request: EndpointRequest): Promise<EndpointResult<null>>
  /** RFC 7591. */
  register(request: RegistrationRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 7592. */
  readonly registration: {
    read(request: ManagementRequest): Promise<EndpointResult<JsonObject>>
    replace(request: ManagementRequest & RegistrationRequest): Promise<EndpointResult<JsonObject>>
    remove(request: ManagementRequest): Promise<EndpointResult<null>>
  }
  /** `maxAge` fits the time a new key is announced before it signs. */
  keySet(tenant: TenantId): Promise<EndpointResult<{ readonly body: JsonObject; readonly maxAge: number }>>
  metadata(tenant: TenantId): Promise<EndpointResult<JsonObject>>
  /** Our own endpoints, for which no registry has a name. */
  grantor(tenant: TenantId): Promise<EndpointResult<JsonObject>>
  /** The logo of a client, as far as it can be had. */
  logo(tenant: TenantId, clientId: string): Promise<Logo | null>
  /** OIDC Core §5.3. */
  userinfo(token: string, origin: Origin): Promise<UserinfoResult>
  readonly browser: Browser
  readonly feed: Feed
  readonly admin: Admin
  /** Begins the background work: key rotation, sweeping. Ends with close(). */
  begin(): Promise<void>
  close(): Promise<void>
}

/** Every act names who does it; that actor stands in the event. */
export interface Admin {
  readonly clients: {
    create(
      by: Actor,
      tenant: TenantId,
      input: { readonly id?: string; readonly metadata: JsonObject; readonly secret?: string },
    ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret | null }>>
    list(
      tenant: TenantId,
      page: { readonly after: string | null; readonly limit: number; readonly descending?: boolean },
    ): Promise<AdminResult<readonly Client[]>>
    find(tenant: TenantId, id: string): Promise<AdminResult<Client>>
    /** The old secrets live on for `overlap` seconds. */
    rotateSecret(
      by: Actor,
      tenant: TenantId,
      rotation: { readonly id: string; readonly overlap: number },
    ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret }>>
    /**
     * Everything a client says of itself, at the version it was looked at. A client that comes to need a secret gets
     * one; one that needs none any more loses its secrets.
     */
    replace(
      by: Actor,
      tenant: TenantId,
      change: {
        readonly id: string
        readonly version: number
        readonly metadata: JsonObject
        readonly disabled: boolean
      },
    ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret | null }>>
    /** With a version, only if it is still the one ('conflict' otherwise). */
    remove(by: Actor, tenant: TenantId, which: string | Pick<Client, 'id' | 'version'>): Promise<AdminResult<null>>
  }
  /** Initial access tokens (RFC 7591 §3). */
  readonly registrationTokens: {
    /** `uses: null` is any number, `expiresIn: null` for ever; the token itself is shown this once. */
    create(
      by: Actor,
      tenant: TenantId,
      input: { readonly uses: number | null; readonly expiresIn: number | null },
    ): Promise<AdminResult<RegistrationToken & { readonly token: Secret }>>
    list(tenant: TenantId): Promise<AdminResult<readonly RegistrationToken[]>>
    revoke(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
  }
  readonly tokens: {
    /** What a token is and whether it lives, for an operator who holds it; never an event. */
    inspect(tenant: TenantId, token: string): Promise<AdminResult<JsonObject>>
    revoke(by: Actor, tenant: TenantId, token: string): Promise<AdminResult<'revoked' | 'already-revoked'>>
  }
  readonly events: {
    after(tenant: TenantId, seq: number, limit: number): Promise<AdminResult<readonly SealedEvent[]>>
    /** The newest `count`, oldest first. */
    last(tenant: TenantId, count: number): Promise<AdminResult<readonly SealedEvent[]>>
    search(tenant: TenantId, search: EventSearch): Promise<AdminResult<readonly SealedEvent[]>>
    find(tenant: TenantId, id: string): Promise<AdminResult<SealedEvent>>
    watch(wake: () => void): () => void
    /** Walks the whole log of a tenant; `kept` is a head that was noted elsewhere. */
    verify(tenant: TenantId, kept: KeptHead | null): Promise<AdminResult<AuditReport>>
    /** The head of the log, signed, to be kept elsewhere; null when nothing happened yet. */
    head(
      tenant: TenantId,
    ): Promise<AdminResult<{ readonly seq: number; readonly hash: string; readonly signed: string } | null>>
  }
  readonly reports: {
    /** `reporter` is the client that hands them in; 'forbidden' unless it is the resource server they are about. */
    record(tenant: TenantId, reporter: string, batch: ReportBatch): Promise<AdminResult<{ readonly recorded: number }>>
  }
  readonly keys: {
    list(
      tenant: TenantId,
    ): Promise<AdminResult<readonly (Omit<KeyRecord, 'sealedPrivate'> & { readonly state: KeyState })[]>>
    rotate(by: Actor, tenant: TenantId, how: { readonly now: boolean }): Promise<AdminResult<readonly string[]>>
    drop(by: Actor, tenant: TenantId, kid: string): Promise<AdminResult<null>>
    /** Seals every secret of every tenant under the current master key; returns how many were not. */
    rewrap(by: Actor): Promise<AdminResult<number>>
  }
  readonly tenants: {
    list(page: { readonly after: TenantId | null; readonly limit: number }): Promise<AdminResult<readonly Tenant[]>>
    create(by: Actor, id: string, name: string): Promise<AdminResult<Tenant>>
    /** A disabled tenant refuses everything at once; its data stays. */
    setDisabled(by: Actor, tenant: TenantId, disabled: boolean): Promise<AdminResult<Tenant>>
    /** Removes a disabled tenant with all it holds but its log. */
    remove(by: Actor, tenant: TenantId): Promise<AdminResult<null>>
  }
  readonly users: {
    list(
      tenant: TenantId,
      page: { readonly after: string | null; readonly limit: number },
    ): Promise<AdminResult<readonly Person[]>>
    create(
      by: Actor,
      tenant: TenantId,
      input: { readonly username: string; readonly password: string; readonly claims: JsonObject },
    ): Promise<AdminResult<Person>>
    /** A disabled person stops at once on every grant. */
    setDisabled(
      by: Actor,
      tenant: TenantId,
      input: { readonly username: string; readonly disabled: boolean },
    ): Promise<AdminResult<null>>
    /** For whoever lost them: passkeys, app, recovery codes and trusted browsers go, and the password alone signs in. */
    resetFactors(by: Actor, tenant: TenantId, username: string): Promise<AdminResult<null>>
    /** Ends every session of the person. */
    resetPassword(
      by: Actor,
      tenant: TenantId,
      input: { readonly username: string; readonly password: string },
    ): Promise<AdminResult<null>>
  }
  readonly deployment: {
    /** This database was put back from a backup: begins another life, in which nothing issued before is valid. */
    restored(by: Actor, from: string): Promise<AdminResult<string>>
  }
  readonly declared: {
    /** Validates and compares; changes nothing. */
    plan(wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
    /** All of it or none of it. */
    apply(by: Actor, wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
    export(): Promise<AdminResult<Declaration>>
  }
}

export type KeyState = 'next' | 'current' | 'retiring' | 'retired' | 'dropped'
