/** Builds keys, feed, introspection and reports from an issuer's options. The composition root of the validator. */
import { reportScope } from '@grantor/protocol/events'
import { feedScope, type KeyMessage } from '@grantor/protocol/feed'
import { ClientToken } from '../issuer/client-token.ts'
import { Introspector } from '../issuer/introspector.ts'
import { IssuerDiscovery, splitTenantIssuer } from '../issuer/issuer-metadata.ts'
import { type Outbound, createOutbound } from '../issuer/outbound.ts'
import { RemoteKeys } from '../issuer/remote-keys.ts'
import { IssuerFaults, sayOnStderr } from '../issuer/issuer-faults.ts'
import { type NamedIssuer, type TrustedIssuer, TrustedIssuers } from '../issuer/trusted-issuers.ts'
import { FeedAcknowledgements, RevocationFeed, sendAcknowledgement } from '../revocation/revocation-feed.ts'
import { stalenessLimits } from '../revocation/staleness.ts'
import { longestUse, StatusLists } from '../status-list/status-lists.ts'
import { RejectionReports, type ReportRejection, reportRejection, type ReportsOf } from './rejection-reports.ts'
import { type ValidatorDependencies, validatorDependencies } from './validator-dependencies.ts'
import { type IssuerOptions, servedStaleFor, type ValidatorOptions } from './validator-options.ts'

export type { IssuerFault } from '../issuer/issuer-faults.ts'

/** With an outbound of its own for each issuer, which observes how requests to it end. */
type IssuerDependencies = ValidatorDependencies & { readonly outbound: Outbound; readonly isAway: () => boolean }

export interface IssuerConnections {
  readonly dependencies: ValidatorDependencies
  readonly trusted: TrustedIssuers
  readonly feeds: readonly RevocationFeed[]
  readonly reports: readonly ReportsOf[]
  readonly report: ReportRejection
  readonly faults: readonly IssuerFaults[]
}

export function connectIssuers(options: ValidatorOptions): IssuerConnections {
  const dependencies = validatorDependencies(options)
  const feeds: RevocationFeed[] = []
  const reports: ReportsOf[] = []
  const faults: IssuerFaults[] = []
  const all: { trusted: TrustedIssuers | null } = { trusted: null }
  const named = options.issuers.map((issuer) => {
    const { leeway = 60, onTrouble: onFault = sayOnStderr } = options
    const observer = new IssuerFaults({ issuer: issuer.issuer, onFault, leeway: 1000 * leeway })
    faults.push(observer)
    const outbound = createOutbound(dependencies.transport, dependencies.time, observer)
    const parts = partsOf(issuer, options, { ...dependencies, outbound, isAway: () => observer.isAway })
    if (parts.reports !== null) reports.push({ root: issuer.issuer, reports: parts.reports })
    const feed =
      issuer.revocation === undefined || issuer.revocation === 'feed' ? feedOf(issuer, parts, () => all.trusted) : null
    if (feed !== null) feeds.push(feed)
    return namedTrust(issuer, parts, feed)
  })
  const trusted = new TrustedIssuers(named, dependencies.time)
  all.trusted = trusted
  const report: ReportRejection = (rejection, caller) => reportRejection(rejection, caller, reports)
  return { dependencies, trusted, feeds, reports, report, faults }
}

interface IssuerParts {
  readonly dependencies: IssuerDependencies
  readonly leeway: number
  readonly keys: NamedIssuer['keys']
  readonly token: ClientToken | null
  readonly introspector: Introspector | null
  readonly reports: RejectionReports | null
  /** Milliseconds: how old the revocation state may be while the policy `serve` still accepts tokens. */
  readonly servedFor: number
}

function partsOf(issuer: IssuerOptions, options: ValidatorOptions, dependencies: IssuerDependencies): IssuerParts {
  const { credentials } = issuer
  const discovery = new IssuerDiscovery(dependencies.outbound, issuer.issuer)
  const followed = (issuer.revocation ?? 'feed') === 'feed'
  const reporting = issuer.reports ?? followed
  const scope = [...(followed ? [feedScope] : []), ...(reporting ? [reportScope] : [])].join(' ')
  const token =
    credentials === undefined || scope === ''
      ? null
      : new ClientToken({ ...dependencies, discovery, credentials, scope })
  const activeFor = 1000 * (options.introspectionCache ?? 30)
  const asks = credentials !== undefined && issuer.introspection !== false
  const [resource] = typeof options.audience === 'string' ? [options.audience] : options.audience
  return {
    dependencies,
    leeway: 1000 * (options.leeway ?? 60),
    servedFor: servedStaleFor(options),
    keys: issuer.keys ?? remoteKeys(discovery, dependencies),
    token,
    introspector: asks ? new Introspector({ ...dependencies, discovery, credentials, activeFor }) : null,
    reports:
      reporting && token !== null
        ? new RejectionReports({ ...dependencies, issuer: issuer.issuer, resource: resource ?? '', token })
        : null,
  }
}

function remoteKeys(discovery: IssuerDiscovery, dependencies: IssuerDependencies): RemoteKeys {
  const keys = new RemoteKeys({ ...dependencies, discovery })
  // Only for configured issuers: tenants come and go, but a gauge cannot be removed.
  dependencies.metrics.gauge('rs_jwks_age_seconds', { issuer: discovery.issuer }, () => keys.age() / 1000)
  return keys
}

function feedOf(
  issuer: IssuerOptions,
  { dependencies, leeway, keys, token, servedFor }: IssuerParts,
  trusted: () => TrustedIssuers | null,
): RevocationFeed | null {
  if (token === null) return null
  const { root, tenant } = splitTenantIssuer(issuer.issuer)
  const onKeyMessage = ({ kid, action, tenant: of }: KeyMessage) => {
    for (const source of trusted()?.keysOf(root, of) ?? []) {
      if (action === 'dropped') source.drop(kid)
      // A thousand validators hear this at once; the jitter spreads their reads.
      else dependencies.time.after(dependencies.random() * 2000, () => void source.refresh())
    }
  }
  const refreshKeys = async () => {
    const refresh = async (source: NamedIssuer['keys']) => {
      if (!(await source.refresh())) source.distrust()
    }
    await Promise.all((trusted()?.keysOf(root) ?? []).map(refresh))
  }
  const limits = stalenessLimits(issuer.feed?.maxStaleness)
  const address = issuer.feed?.address ?? issuer.issuer
  const unobserved = createOutbound(dependencies.transport, dependencies.time)
  const acknowledgements =
    issuer.feed?.acknowledge === false
      ? null
      : new FeedAcknowledgements({
          ...dependencies,
          outbound: unobserved,
          address,
          token,
          closesAfter: Math.max(limits.stale, servedFor, issuer.statusLists === false ? 0 : longestUse),
        })
  const relay = issuer.feed?.relay ?? null
  const feed = new RevocationFeed({
    ...dependencies,
    acknowledgements,
    relay,
    address,
    issuer: issuer.issuer,
    token,
    keys,
    refreshKeys,
    onKeyMessage,
    concerns: (of) => issuer.tenants === true || of === tenant,
    transport: issuer.feed?.transport ?? 'stream',
    limits,
    leeway,
    capacity: issuer.feed?.capacity ?? 250_000,
  })
  relay?.attach(feed, (query, authorization) => sendAcknowledgement(unobserved, { address, query, authorization }))
  return feed
}

function namedTrust(issuer: IssuerOptions, parts: IssuerParts, feed: RevocationFeed | null): NamedIssuer {
  const { dependencies, keys, introspector } = parts
  const revocation = feed ?? (typeof issuer.revocation === 'object' ? issuer.revocation : null)
  const types = new Set((issuer.types ?? ['at+jwt']).map((type) => type?.toLowerCase() ?? null))
  const trust: TrustedIssuer = {
    issuer: issuer.issuer,
    keys,
    revocation,
    statusLists: statusListsOf(issuer, parts, issuer.issuer),
    introspector,
    apiKeys: issuer.apiKeys === true,
    foreign: issuer.claims ?? null,
    types,
    tenantOf: tenantRule(issuer),
    seen: { listed: false, asked: false },
    isAway: dependencies.isAway,
  }
  if (issuer.tenants !== true) return { ...trust, trustTenant: null }
  return {
    ...trust,
    trustTenant: (tenant, address) => {
      const own =
        issuer.keys ??
        new RemoteKeys({ ...dependencies, discovery: new IssuerDiscovery(dependencies.outbound, address) })
      const statusLists = statusListsOf(issuer, { ...parts, keys: own }, address)
      return { ...trust, issuer: address, keys: own, statusLists, tenantOf: tenantMustBe(tenant) }
    },
  }
}

/** Status lists, a second source of revocations; null where they or all revocations are turned off. */
function statusListsOf(
  { statusLists = {}, revocation }: IssuerOptions,
  { dependencies, keys, leeway }: IssuerParts,
  issuer: string,
): StatusLists | null {
  if (statusLists === false || revocation === 'none') return null
  const origins = statusLists.origins ?? [new URL(issuer).origin]
  return new StatusLists({ ...dependencies, issuer, origins, keys, leeway })
}

/**
 * The issuer's address names the tenant, and the claim must agree. Claims of a foreign issuer name no tenant of ours.
 */
function tenantRule(issuer: IssuerOptions): TrustedIssuer['tenantOf'] {
  if (issuer.tenant !== undefined) return issuer.tenant
  const foreign = issuer.revocation === 'none' && issuer.tenants !== true
  return foreign ? () => null : tenantMustBe(splitTenantIssuer(issuer.issuer).tenant)
}

function tenantMustBe(tenant: string | null): TrustedIssuer['tenantOf'] {
  return ({ tenant: claim }) => ((claim ?? null) === tenant ? tenant : undefined)
}
