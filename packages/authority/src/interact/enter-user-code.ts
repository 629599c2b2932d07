/** A person types the code that a device shows (RFC 8628 §3.3): limits first, then it is theirs, and the hub goes on. */
import { noInteractionProgress } from '@grantor/protocol/authorize'
import {
  type AskingDevice,
  deviceInteraction,
  type DeviceRequest,
  parseUserCode,
  type UserCode,
} from '@grantor/protocol/device'
import { type QuotaDecision, retryAfter } from '@grantor/protocol/http'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { DeviceRow } from '@grantor/store'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressKey, type LimitName } from '../limits/limits.ts'
import { userCodeHandle } from '../tokens/user-code-handle.ts'
import { accountsOf, type CookieChanges, type Visitor } from './visitor.ts'

/** Wrong, expired, used, and typed by somebody else before: all of them are unknown. */
export type UserCodeEntry =
  | { readonly did: 'entered'; readonly interaction: Secret; readonly cookies: CookieChanges }
  | { readonly did: 'malformed' }
  | { readonly did: 'unknown' }
  | { readonly did: 'throttled'; readonly seconds: number }

export async function enterUserCode(typed: string, visitor: Visitor, hands: Hands): Promise<UserCodeEntry> {
  const code = parseUserCode(typed)
  // No guess: nothing was looked up, and no device shows such a thing.
  if (code === null) return { did: 'malformed' }
  const subjects = (await accountsOf(visitor, hands)).map(({ person }) => person.id)
  const tries = triesOf(visitor, subjects, hands)
  const taken = await countTries(tries, hands)
  const seconds = Math.max(0, ...taken.map((it) => retryAfter(it)))
  if (seconds > 0) return { did: 'throttled', seconds }
  const entered = await claimDevice(code, visitor, hands)
  if (entered === null) {
    const reached = tries.filter((_, at) => taken[at]?.remaining === 0).map(({ by }) => by)
    const [subject = null] = subjects
    const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { limits_reached: reached } }
    await hands.store.events.append([newEvent(hands, visitor, 'device.guessed', about)])
    return { did: 'unknown' }
  }
  for (const { limit, key } of tries) {
    const policy = hands.limits[limit]
    if (policy !== null) await hands.limiter.giveBack(policy, key)
  }
  return entered
}

interface CountedTry {
  readonly limit: LimitName
  readonly key: string
  readonly by: 'address' | 'browser' | 'account' | 'tenant'
}

/**
 * RFC 8628 §5.1. Per address, browser and account, and for all strangers of a tenant together, so that many addresses
 * are not as many chances. Who is signed in is counted by their account instead: strangers cannot lock them out.
 */
function triesOf(visitor: Visitor, subjects: readonly string[], hands: Pick<Hands, 'ids' | 'limits'>) {
  const { tenant, ip, browser } = visitor
  const tries: CountedTry[] = subjects.map((subject) => ({
    limit: 'device',
    by: 'account',
    key: `account ${tenant} ${subject}`,
  }))
  if (subjects.length === 0) tries.push({ limit: 'deviceTenant', by: 'tenant', key: tenant })
  if (browser !== null) tries.push({ limit: 'device', by: 'browser', key: `browser ${hands.ids.handleOf(browser)}` })
  if (ip !== null) tries.push({ limit: 'device', by: 'address', key: `address ${addressKey(ip)}` })
  return tries.filter(({ limit }) => hands.limits[limit] !== null)
}

/** Taken as wrong before it is looked up, and given back when it was right: as signing in does. */
async function countTries(tries: readonly CountedTry[], { limits, limiter }: Hands): Promise<readonly QuotaDecision[]> {
  const taken: QuotaDecision[] = []
  for (const { limit, key } of tries) {
    const policy = limits[limit]
    if (policy !== null) taken.push(await limiter.take(policy, key))
  }
  return taken
}

async function claimDevice(code: UserCode, visitor: Visitor, hands: Hands): Promise<UserCodeEntry | null> {
  const { tenant } = visitor
  const device = await hands.store.devices.byUserCode(tenant, userCodeHandle(tenant, code, hands))
  if (device === null) return null
  const client = await hands.directory.currentClient(tenant, device.clientId)
  if (client === null || client.disabledAt !== null) return null
  const interaction = hands.ids.secret('gi_')
  const browser = visitor.browser ?? hands.ids.secret('gb_')
  const now = hands.clock.now()
  const outcome = await hands.store.devices.claim(device.handle, {
    tenant,
    handle: hands.ids.handleOf(interaction),
    browser: hands.ids.handleOf(browser),
    kind: 'device',
    request: {
      ...deviceInteraction(client, device.request as unknown as DeviceRequest),
      device: askingDevice(device, code),
    },
    progress: noInteractionProgress,
    openedAt: now,
    // A code that is over cannot be approved: neither can what was begun with it.
    expiresAt: Math.min(now + hands.policy.interactionTtl * 1000, device.expiresAt) as Instant,
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
