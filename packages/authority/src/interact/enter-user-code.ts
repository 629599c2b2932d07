/**
 * A person types the code that a device shows (RFC 8628 §3.3): the limits are checked, the device is claimed for this
 * browser, and the hub takes over.
 */
import { noInteractionProgress } from '@grantor/protocol/authorize'
import {
  type AskingDevice,
  deviceInteraction,
  type DeviceRequest,
  parseUserCode,
  type UserCode,
} from '@grantor/protocol/device'
import { retryAfter } from '@grantor/protocol/http'
import type { Handle, Instant, Secret } from '@grantor/protocol/types'
import type { DeviceRow, Store } from '@grantor/store'
import { newEvent } from '../events.ts'
import type { Directory } from '../directory.ts'
import type { Ids } from '../ports/environment.ts'
import { addressKey, type CountedLimits, type LimitName } from '../limits/limits.ts'
import { knownBrowser } from '../limits/sign-in-attempts.ts'
import { userCodeHandle } from '../device/user-code-handle.ts'
import { type AccountDependencies, accountsOf, browserHandle, type CookieChanges, type Visitor } from './visitor.ts'

export type UserCodeDependencies = AccountDependencies & {
  readonly ids: Ids
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'devices' | 'events' | 'keys'>
}

/** A code that is wrong, expired, used, or typed by somebody else before is always 'unknown'. */
export type UserCodeEntry =
  | { readonly did: 'entered'; readonly interaction: Secret; readonly cookies: CookieChanges }
  | { readonly did: 'malformed' }
  | { readonly did: 'unknown' }
  | { readonly did: 'throttled'; readonly seconds: number }

export async function enterUserCode(
  typed: string,
  visitor: Visitor,
  deps: UserCodeDependencies,
): Promise<UserCodeEntry> {
  const code = parseUserCode(typed)
  // A malformed code is not counted as a guess: no device shows such a code, and nothing was looked up.
  if (code === null) return { did: 'malformed' }
  const subjects = (await accountsOf(visitor, deps)).map(({ person }) => person.id)
  const tries = await triesOf(visitor, subjects, deps)
  const keys = tries.map(({ limit, key }) => [limit, key] as const)
  // As at sign-in, the try is counted before the code is looked up, and refunded if the code was right. If one limit
  // refuses, none is charged, so that one address cannot use up the limit that all share.
  const charge = await deps.limits.takeAll(keys)
  if (charge.refused !== null) return { did: 'throttled', seconds: retryAfter(charge.refused) }
  const entered = await claimDevice(code, visitor, deps)
  if (entered === null) {
    const reached = tries.filter((_, i) => charge.decisions[i]?.remaining === 0).map(({ by }) => by)
    const [subject = null] = subjects
    const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { limits_reached: reached } }
    await deps.store.events.append([newEvent(deps, visitor, 'device.guessed', about)])
    return { did: 'unknown' }
  }
  await deps.limits.giveBack(keys)
  return entered
}

interface CountedTry {
  readonly limit: LimitName
  readonly key: string
  readonly by: 'address' | 'browser' | 'account' | 'tenant'
}

/**
 * RFC 8628 §5.1. Strangers are counted by address, by browser, and all of a tenant together, so that many addresses do
 * not give many tries. People who are signed in are counted by account instead, and a browser in which somebody signed
 * in before is counted by itself, so that no stranger or neighbour behind the same address can lock them out. These
 * known visitors share a separate limit of the tenant, which strangers cannot use up.
 */
async function triesOf(
  visitor: Visitor,
  subjects: readonly string[],
  deps: UserCodeDependencies,
): Promise<readonly CountedTry[]> {
  const { tenant, ip } = visitor
  const ofTenant = (key: string): CountedTry => ({ limit: 'deviceTenant', by: 'tenant', key })
  const ofBrowser = (browser: Handle): CountedTry => ({ limit: 'device', by: 'browser', key: `browser ${browser}` })
  const accounts = subjects.map((subject): CountedTry => ({
    limit: 'device',
    by: 'account',
    key: `account ${tenant} ${subject}`,
  }))
  if (accounts.length > 0) return [...accounts, ofTenant(`${tenant} known`)]
  const known = await knownBrowser(visitor, deps)
  if (known !== null) return [ofBrowser(known), ofTenant(`${tenant} known`)]
  const browser = browserHandle(visitor, deps.ids)
  const tries = browser === null ? [] : [ofBrowser(browser)]
  if (ip !== null) tries.push({ limit: 'device', by: 'address', key: `address ${addressKey(ip)}` })
  return [...tries, ofTenant(tenant)]
}

async function claimDevice(
  code: UserCode,
  visitor: Visitor,
  deps: UserCodeDependencies,
): Promise<UserCodeEntry | null> {
  const { tenant } = visitor
  const device = await deps.store.devices.byUserCode(tenant, userCodeHandle(tenant, code, deps.store))
  if (device === null) return null
  const client = await deps.directory.currentClient(tenant, device.clientId)
  if (client === null || client.disabledAt !== null) return null
  const interaction = deps.ids.secret('gi_')
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const now = deps.clock.now()
  const outcome = await deps.store.devices.claim(device.handle, {
    tenant,
    handle: deps.ids.handleOf(interaction),
    browser: deps.ids.handleOf(browser),
    kind: 'device',
    request: {
      ...deviceInteraction(client, device.request as unknown as DeviceRequest),
      device: askingDevice(device, code),
    },
    progress: noInteractionProgress,
    openedAt: now,
    // The interaction must not outlive the code, which could no longer be approved.
    expiresAt: Math.min(now + deps.policy.interactionTtl * 1000, device.expiresAt) as Instant,
    closedAt: null,
    version: 1,
  })
  if (outcome === 'gone') return null
  return { did: 'entered', interaction, cookies: visitor.browser === null ? { browser } : {} }
}

const askingDevice = ({ handle, ip, userAgent, askedAt }: DeviceRow, userCode: UserCode): AskingDevice => ({
  handle,
  userCode,
  ip,
  userAgent,
  askedAt,
})
