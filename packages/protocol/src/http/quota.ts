/** Quotas: the generic cell rate algorithm, and its response headers (draft-ietf-httpapi-ratelimit-headers-11). */
import type { Instant } from '../types.ts'
import { type Parameter, sfItem, sfList } from './structured.ts'

/** `quota` units at once, then one every `window / quota`: 600 per 60 s is a burst of 600, then one per 100 ms. */
export interface QuotaPolicy {
  readonly name: string
  readonly quota: number
  /** Seconds. */
  readonly window: number
}

/** The stored state of one partition under one policy: when it would be full again (the theoretical arrival time). */
export type QuotaState = Instant | null

export interface QuotaDecision {
  readonly policy: QuotaPolicy
  readonly allowed: boolean
  /** The new state; unchanged where refused, so that further attempts do not lengthen the wait. */
  readonly state: QuotaState
  /** Units left. */
  readonly remaining: number
  /** Seconds within which at most `remaining` units may be used: never a faster rate than the policy's (draft §8.5). */
  readonly effectiveWindow: number
  /** Milliseconds until the same request would be allowed; 0 where it was. */
  readonly wait: number
}

/** Takes `cost` units. A cost of 0 only checks, and is refused exactly when a cost of 1 would be. */
export function takeQuota(policy: QuotaPolicy, held: QuotaState, now: Instant, cost = 1): QuotaDecision {
  const span = policy.window * 1000
  const interval = span / policy.quota
  // A state further ahead than a full window comes from a clock that stepped back: it must not lock anyone out for
  // longer.
  const from = held === null ? now : Math.min(Math.max(held, now), now + span)
  const wanted = from + interval * Math.max(cost, 1)
  const over = wanted - now - span
  const allowed = over <= rounding
  const state = allowed ? from + interval * cost : from
  const remaining = Math.max(0, Math.floor((span - (state - now) + rounding) / interval))
  const wait = allowed ? 0 : Math.max(1, Math.ceil(over))
  const next = allowed && remaining > 0 ? remaining * interval : Math.max(wait, state - now - span + interval)
  return {
    policy,
    allowed,
    state: state === now ? null : (state as Instant),
    remaining,
    effectiveWindow: Math.max(1, Math.ceil(next / 1000)),
    wait,
  }
}

/** Intervals such as 1000/3 ms have no exact sum; a tolerance of a microsecond keeps the last unit of a burst. */
const rounding = 0.001

/** Returns taken units: a 304 costs nothing, and a success returns what was taken against its failure. */
export function refundQuota(policy: QuotaPolicy, held: QuotaState, now: Instant, cost = 1): QuotaState {
  if (held === null) return null
  const state = held - ((policy.window * 1000) / policy.quota) * cost
  return state <= now ? null : (state as Instant)
}

/** The headers of a response for these decisions; the most restrictive one comes first. */
export function quotaHeaders(decisions: readonly QuotaDecision[]): Record<string, string> {
  if (decisions.length === 0) return {}
  const [only] = decisions
  if (decisions.length === 1 && only?.allowed === true) {
    const { policy, name } = headerTexts(only.policy)
    return { 'ratelimit-policy': policy, ratelimit: `${name};r=${only.remaining};t=${only.effectiveWindow}` }
  }
  const ordered = [...decisions].sort((a, b) => b.wait - a.wait || share(a) - share(b))
  const refusedFor = Math.max(...decisions.map(retryAfter))
  return {
    'ratelimit-policy': sfList(decisions.map(({ policy }) => policyItem(policy))),
    ratelimit: sfList(ordered.map(limitItem)),
    ...(decisions.every(({ allowed }) => allowed) ? {} : { 'retry-after': String(refusedFor) }),
  }
}

const texts = new WeakMap<QuotaPolicy, { readonly policy: string; readonly name: string }>()

/** The constant part of a policy's headers, made once: every answer of a busy endpoint carries them. */
function headerTexts(policy: QuotaPolicy): { readonly policy: string; readonly name: string } {
  const known = texts.get(policy)
  if (known !== undefined) return known
  const text = { policy: sfList([policyItem(policy)]), name: sfItem(policy.name, []) }
  texts.set(policy, text)
  return text
}

/** Seconds for `Retry-After`. Draft §6: not earlier than the end of the effective window. */
export function retryAfter(decision: QuotaDecision): number {
  return decision.allowed ? 0 : Math.max(Math.ceil(decision.wait / 1000), decision.effectiveWindow)
}

/** Throws for a policy that cannot be written in headers, or would never admit anyone. */
export function checkedPolicy(policy: QuotaPolicy): QuotaPolicy {
  const whole = (n: number): boolean => Number.isSafeInteger(n) && n > 0
  if (!whole(policy.quota) || !whole(policy.window)) {
    throw new RangeError(`quota ${policy.name}: quota and window are whole numbers above zero`)
  }
  policyItem(policy)
  return policy
}

const share = ({ remaining, policy }: QuotaDecision): number => remaining / policy.quota

function policyItem({ name, quota, window }: QuotaPolicy): string {
  return sfItem(name, [
    ['q', quota],
    ['w', window],
  ] satisfies Parameter[])
}

function limitItem({ policy, remaining, effectiveWindow }: QuotaDecision): string {
  return sfItem(policy.name, [
    ['r', remaining],
    ['t', effectiveWindow],
  ] satisfies Parameter[])
}
