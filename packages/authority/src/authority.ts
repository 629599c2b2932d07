/** The authority: the endpoints without HTTP, and the administration without a console. Opened over its ports. */
import { type ClientAuthRule, clientAuthRules } from '@grantor/protocol/client-auth'
import { servedBy } from '@grantor/protocol/documents'
import { type AnyGrantRule, grantRules, servesBackchannel } from '@grantor/protocol/grants'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { type Admin, openAdmin } from './admin/admin.ts'
import { openKeyUses } from './api-keys/key-uses.ts'
import { openPushedAuthorization } from './authorize/push.ts'
import { openBackchannelAuthentication } from './backchannel/authentication-request.ts'
import { openClientUses } from './background/client-uses.ts'
import { openEventDelivery } from './background/event-delivery.ts'
import { openLogoutDelivery } from './background/logout-delivery.ts'
import { openMailDelivery } from './background/mail-delivery.ts'
import { openPingDelivery } from './background/ping-delivery.ts'
import { openRefusedRequests } from './background/refused-requests.ts'
import { openSignalPolling } from './background/signal-polling.ts'
import { beginUpkeep, type Upkeep } from './background/upkeep.ts'
import { type Browser, openBrowser } from './browser.ts'
import { openClientEndpoint } from './clients/client-endpoint.ts'
import { type Logo, openLogos } from './clients/logos.ts'
import { openRegistrationManagement, type RegistrationManagement } from './clients/manage-registration.ts'
import { openOwnProofs, type OwnProofs } from './clients/own-proofs.ts'
import { openRegistration, type RegistrationRequest } from './clients/register.ts'
import { openDirectory } from './directory.ts'
import { type Documents, openDocuments } from './documents.ts'
import type { EndpointRequest, EndpointResult } from './endpoint.ts'
import type { Origin, RefusedRequest } from './events.ts'
import { type Acknowledgements, openAcknowledgements } from './feed/acknowledgements.ts'
import { type Feed, openFeed } from './feed/feed.ts'
import { openFeedLog } from './feed/feed-log.ts'
import { openKeyring } from './keys/keyring.ts'
import { countedLimits } from './limits/limits.ts'
import { openLockRecorder } from './limits/lock-recorder.ts'
import type { Ports } from './ports/ports.ts'
import { openScim, type Scim } from './scim/scim.ts'
import { openSharedSignals, type SharedSignals } from './ssf/ssf.ts'
import { openStatusIndexes } from './status-lists/status-indexes.ts'
import { openStatusLists, type StatusLists } from './status-lists/status-lists.ts'
import { type DeviceEndpointRequest, openDeviceAuthorization } from './device/device-authorization.ts'
import { DevicePollTimes } from './device/device-poll-times.ts'
import { openIntrospection, openSignedIntrospection } from './tokens/introspect.ts'
import { openRevocation } from './tokens/revoke.ts'
import { openTokenEndpoint } from './tokens/token.ts'
import { openTenantLogo, type TenantLogo } from './tenant-logo.ts'
import { endUpstreamSessions, type UpstreamLogout, type UpstreamLogoutOutcome } from './providers/backchannel-logout.ts'
import { publishedSamlMetadata } from './providers/saml/published-metadata.ts'
import { type ReceivedSignalOutcome, receiveSignal } from './providers/signals/receive.ts'
import { type IsProven, openUserinfo, type UserinfoResult } from './tokens/userinfo.ts'

export interface Authority extends Documents {
  token(request: EndpointRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 9126 §2. */
  pushedAuthorization(request: EndpointRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 8628 §3.1. */
  deviceAuthorization(request: DeviceEndpointRequest): Promise<EndpointResult<JsonObject>>
  /** CIBA §7. */
  backchannelAuthentication(request: DeviceEndpointRequest): Promise<EndpointResult<JsonObject>>
  introspect(request: EndpointRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 9701: the same response as a JWT. */
  introspectSigned(request: EndpointRequest): Promise<EndpointResult<string>>
  revoke(request: EndpointRequest): Promise<EndpointResult<null>>
  /** RFC 7591. */
  register(request: RegistrationRequest): Promise<EndpointResult<JsonObject>>
  /** RFC 7592. */
  readonly registration: RegistrationManagement
  /** The logo of a client; null where it has none, or it cannot be fetched. */
  logo(tenant: TenantId, clientId: string): Promise<Logo | null>
  /** The logo of a tenant's branding that is served at this address; null for any other. */
  tenantLogo(tenant: TenantId, path: string): Promise<TenantLogo | null>
  /** OIDC Core §5.3. */
  userinfo(token: string, origin: Origin, isProven?: IsProven): Promise<UserinfoResult>
  /** DPoP proofs at the resources of the server itself. */
  readonly proofs: OwnProofs
  readonly browser: Browser
  /** OIDC Back-Channel Logout §2.5, as the relying party of a provider. */
  endUpstreamSessions(logout: UpstreamLogout): Promise<UpstreamLogoutOutcome>
  /** SAML Metadata §2.4.4: our metadata for this provider; null if it is not a SAML provider. */
  samlMetadata(tenant: TenantId, provider: string): Promise<string | null>
  /** SSF 1.0, as receiver: RFC 8935 §2. */
  receiveSignal(signal: UpstreamLogout): Promise<ReceivedSignalOutcome>
  readonly feed: Feed
  readonly acknowledgements: Pick<Acknowledgements, 'take' | 'countSilent' | 'receiptsOf'>
  /** draft-ietf-oauth-status-list. */
  readonly statusLists: StatusLists
  readonly admin: Admin
  /** RFC 7644. */
  readonly scim: Scim
  /** OpenID Shared Signals Framework 1.0, as transmitter. */
  readonly signals: SharedSignals
  /** Calls the watcher with the first refusal of each kind in a minute, for the operator's log. */
  watchRefusals(watcher: (refused: RefusedRequest) => void): void
  /** Begins the background work: key rotation, sweeping. Ends with close(). */
  begin(): Promise<void>
  close(): Promise<void>
}

/** The lists from which everything served follows: metadata, registration, and the token endpoint itself. */
export interface Extensions {
  readonly grants: readonly AnyGrantRule[]
  readonly clientAuthMethods: readonly ClientAuthRule[]
}

export const builtIn: Extensions = { grants: grantRules, clientAuthMethods: clientAuthRules }

/** The composition root: every other function names its own dependencies. */
export function openAuthority(ports: Ports, { grants, clientAuthMethods }: Extensions = builtIn): Authority {
  const directory = openDirectory(ports.store)
  const limits = countedLimits(ports.limits, ports.limiter, openLockRecorder(ports))
  const served = servedBy(grants, clientAuthMethods, ports.policy.addresses)
  const remembered = { directory, keyring: openKeyring(ports), devicePollTimes: new DevicePollTimes() }
  const refusedRequests = openRefusedRequests(ports)
  const keyUses = openKeyUses(ports)
  const clientUses = openClientUses(ports)
  const statusIndexes = openStatusIndexes(ports)
  const feedLog = openFeedLog(ports)
  const acknowledgements = openAcknowledgements({ ...ports, feedLog })
  const shared = { ...remembered, refusedRequests, keyUses, clientUses, statusIndexes, feedLog, acknowledgements }
  const parts = { ...ports, ...shared, grants, clientAuthMethods, limits, served }
  const logos = openLogos(parts)
  const serveClient = openClientEndpoint(parts)
  const documents = openDocuments(parts)
  const feed = openFeed(parts)
  const logoutDelivery = openLogoutDelivery(parts)
  const eventDelivery = openEventDelivery(parts)
  const signalPolling = openSignalPolling(parts)
  const pingDelivery = servesBackchannel(served) ? openPingDelivery(parts) : null
  const mailDelivery = ports.mail === null ? null : openMailDelivery(ports.mail, parts)
  let upkeep: Upkeep | null = null
  let warming: Promise<unknown> = Promise.resolve()
  return {
    token: openTokenEndpoint({ ...parts, serveClient }),
    pushedAuthorization: openPushedAuthorization({ ...parts, serveClient }),
    deviceAuthorization: openDeviceAuthorization({ ...parts, serveClient }),
    backchannelAuthentication: openBackchannelAuthentication({ ...parts, serveClient }),
    introspect: openIntrospection({ ...parts, serveClient }),
    introspectSigned: openSignedIntrospection({ ...parts, serveClient }),
    revoke: openRevocation({ ...parts, serveClient }),
    register: openRegistration(parts),
    registration: openRegistrationManagement(parts),
    ...documents,
    logo: logos.find,
    tenantLogo: openTenantLogo(parts),
    userinfo: openUserinfo(parts),
    proofs: openOwnProofs(parts),
    endUpstreamSessions: (logout) => endUpstreamSessions(logout, parts),
    samlMetadata: (tenant, provider) => publishedSamlMetadata(tenant, provider, parts),
    receiveSignal: (signal) => receiveSignal(signal, parts),
    browser: openBrowser({ ...parts, logos }, mailDelivery),
    feed,
    acknowledgements,
    statusLists: openStatusLists(parts),
    admin: openAdmin(parts),
    scim: openScim(parts),
    signals: openSharedSignals(parts),
    watchRefusals: refusedRequests.watch,
    async begin() {
      const catalogue = await directory.catalogue(defaultTenant as TenantId)
      // The first key of the deployment is made before the first request, so that no request waits for it.
      if (catalogue !== null) await parts.keyring.signer(catalogue, 'ES256')
      directory.forget(defaultTenant as TenantId)
      // Not awaited, because RSA keys are slow; once loaded, the key set is served even if the database is away.
      warming = documents.keySet(defaultTenant as TenantId)
      upkeep = beginUpkeep(parts)
      logoutDelivery.begin()
      eventDelivery.begin()
      signalPolling.begin()
      pingDelivery?.begin()
      refusedRequests.begin()
      clientUses.begin()
      acknowledgements.begin()
      await mailDelivery?.begin()
    },
    async close() {
      // Closed together: one that is closed later could begin another try meanwhile.
      const goingOut = [logoutDelivery, eventDelivery, signalPolling, pingDelivery, mailDelivery]
      const closed = await Promise.allSettled([warming, upkeep?.close(), ...goingOut.map((it) => it?.close())])
      await acknowledgements.close()
      await feed.close()
      await statusIndexes.close()
      await refusedRequests.close()
      await keyUses.close()
      await clientUses.close()
      directory.close()
      for (const one of closed) if (one.status === 'rejected') throw one.reason
    },
  }
}
