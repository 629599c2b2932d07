/** Makes what an issuer's options ask for: keys, feed, introspection, reports. The only file that knows which are real. */
import { reportScope } from '@grantor/protocol/events'
import { feedScope, type KeyMessage } from '@grantor/protocol/feed'
import type { JsonObject } from '@grantor/protocol/types'
import { ClientToken } from '../issuer/client-token.ts'
import { Introspector } from '../issuer/introspector.ts'
import { IssuerDocument, splitIssuer } from '../issuer/issuer-metadata.ts'
import { fetchTransport, nodeTransport, type Outbound, outboundOver } from '../issuer/outbound.ts'
import { RemoteKeys } from '../issuer/remote-keys.ts'
import { type NamedTrust, type Trust, Trusts } from '../issuer/trusted-issuers.ts'
import { type Metrics, noMetrics } from '../metrics.ts'
import { RevocationFeed } from '../revocation/revocation-feed.ts'
import { defaultLimits } from '../revocation/staleness.ts'
import { systemTime, type Time } from '../time.ts'
import { Reports } from './rejection-reports.ts'
import type { IssuerOptions, ValidatorOptions } from './validator-options.ts'

/** What all issuers of a validator share. */
export interface Surroundings {
  readonly time: Time
  readonly metrics: Metrics
  readonly random: () => number
  readonly outbound: Outbound
}

export function surroundings(options: ValidatorOptions): Surroundings {
  const time = options.time ?? systemTime
  const transport = options.fetch === undefined ? nodeTransport(options.ca) : fetchTransport(options.fetch)
  const random = options.random ?? Math.random
  return { time, metrics: options.metrics ?? noMetrics, random, outbound: outboundOver(transport, time) }
}

export interface Deployments {
  readonly trusts: Trusts
  readonly feeds: readonly RevocationFeed[]
  readonly reports: readonly { readonly root: string; readonly reports: Reports }[]
}

export function deploy(options: ValidatorOptions, around: Surroundings): Deployments {
  const feeds: RevocationFeed[] = []
  const reports: { root: string; reports: Reports }[] = []
  const all: { trusts: Trusts | null } = { trusts: null }
  const named = options.issuers.map((issuer) => {
    const parts = partsOf(issuer, options, around)
    if (parts.reports !== null) reports.push({ root: issuer.issuer, reports: parts.reports })
    const feed =
      issuer.revocation === undefined || issuer.revocation === 'feed' ? feedOf(issuer, parts, () => all.trusts) : null
    if (feed !== null) feeds.push(feed)
    return namedTrust(issuer, parts, feed)
  })
  const trusts = new Trusts(named, around.time)
  all.trusts = trusts
  return { trusts, feeds, reports }
}

interface Parts {
  readonly around: Surroundings
  readonly leeway: number
  readonly keys: NamedTrust['keys']
  readonly token: ClientToken | null
  readonly introspector: Introspector | null
  readonly reports: Reports | null
}

function partsOf(issuer: IssuerOptions, options: ValidatorOptions, around: Surroundings): Parts {
  const { credentials } = issuer
  const document = new IssuerDocument(around.outbound, issuer.issuer)
  const followed = (issuer.revocation ?? 'feed') === 'feed'
  const reporting = issuer.reports ?? followed
  const scope = [...(followed ? [feedScope] : []), ...(reporting ? [reportScope] : [])].join(' ')
  const token =
    credentials === undefined || scope === '' ? null : new ClientToken({ ...around, document, credentials, scope })
  const activeFor = 1000 * (options.introspectionCache ?? 30)
  const asks = credentials !== undefined && issuer.introspection !== false
  const [resource] = typeof options.audience === 'string' ? [options.audience] : options.audience
  return {
    around,
    leeway: 1000 * (options.leeway ?? 60),
    keys: issuer.keys ?? remoteKeys(document, around),
    token,
    introspector: asks ? new Introspector({ ...around, document, credentials, activeFor }) : null,
    reports:
      reporting && token !== null
        ? new Reports({ ...around, issuer: issuer.issuer, resource: resource ?? '', token })
        : null,
  }
}

function remoteKeys(document: IssuerDocument, around: Surroundings): RemoteKeys {
  const keys = new RemoteKeys({ ...around, document })
  // Of named issuers only: tenants come and go, a gauge stays.
  around.metrics.gauge('rs_jwks_age_seconds', { issuer: document.issuer }, () => keys.age() / 1000)
  return keys
}

function feedOf(
  issuer: IssuerOptions,
  { around, leeway, keys, token }: Parts,
  trusts: () => Trusts | null,
): RevocationFeed | null {
  if (token === null) return null
  const { root, tenant } = splitIssuer(issuer.issuer)
  const keyChanged = ({ kid, action, tenant: of }: KeyMessage) => {
    for (const source of trusts()?.keysOf(root, of) ?? []) {
      if (action === 'dropped') source.drop(kid)
      // A thousand validators hear this at once; the server should not.
      else around.time.after(around.random() * 2000, () => void source.refresh())
    }
  }
  const refreshKeys = async () => {
    const refresh = async (source: NamedTrust['keys']) => {
      if (!(await source.refresh())) source.distrust()
    }
    await Promise.all((trusts()?.keysOf(root) ?? []).map(refresh))
  }
  return new RevocationFeed({
    ...around,
    issuer: issuer.issuer,
    token,
    keys,
    refreshKeys,
    keyChanged,
    concerns: (of) => issuer.tenants === true || of === tenant,
    transport: issuer.feed?.transport ?? 'stream',
    limits: { ...defaultLimits, ...limitsOf(issuer.feed?.maxStaleness) },
    leeway,
    capacity: issuer.feed?.capacity ?? 250_000,
  })
}

const limitsOf = (maxStaleness: number | undefined) =>
  maxStaleness === undefined ? {} : { stale: 1000 * maxStaleness, lagging: Math.min(15_000, (1000 * maxStaleness) / 3) }

function namedTrust(
  issuer: IssuerOptions,
  { around, keys, introspector }: Parts,
  feed: RevocationFeed | null,
): NamedTrust {
  const revocation = feed ?? (typeof issuer.revocation === 'object' ? issuer.revocation : null)
  const types = new Set((issuer.types ?? ['at+jwt']).map((type) => type.toLowerCase()))
  const trust: Trust = { issuer: issuer.issuer, keys, revocation, introspector, types, tenantIn: tenantRule(issuer) }
  if (issuer.tenants !== true) return { ...trust, tenant: null }
  return {
    ...trust,
    tenant: (tenant, address) => ({
      ...trust,
      issuer: address,
      keys: issuer.keys ?? new RemoteKeys({ ...around, document: new IssuerDocument(around.outbound, address) }),
      tenantIn: claimed(tenant),
    }),
  }
}

/** A tenant is what the issuer's address says; the claim must agree. A foreign issuer's claims name no tenant of ours. */
function tenantRule(issuer: IssuerOptions): Trust['tenantIn'] {
  if (issuer.tenant !== undefined) return issuer.tenant
  const foreign = issuer.revocation === 'none' && issuer.tenants !== true
  return foreign ? () => null : claimed(splitIssuer(issuer.issuer).tenant)
}

function claimed(tenant: string | null): Trust['tenantIn'] {
  return ({ tenant: claim }: JsonObject) => ((claim ?? null) === tenant ? tenant : undefined)
}
