/** The limits of the authority: their list (docs/configuration.md), and how they are counted by name. */
import { type QuotaDecision, type QuotaPolicy, retryAfter } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import { type Err, err } from '@grantor/protocol/result'
import { addressKey } from '@grantor/protocol/uri'
import type { ReturnedUnit } from '@grantor/store'
import type { Limiter } from '../ports/limiter.ts'

export { addressKey }

export const limits = {
  token: { name: 'token', quota: 600, window: 60 },
  /** By client and address, so that nobody locks out others behind the same address. */
  tokenFailures: { name: 'token-failures', quota: 60, window: 60 },
  tokenFailuresAddress: { name: 'token-failures-address', quota: 600, window: 60 },
  loginAccount: { name: 'login-account', quota: 10, window: 900 },
  loginAddress: { name: 'login-address', quota: 50, window: 900 },
  // 144 000 guesses a day at all accounts of a tenant together, from however many addresses.
  loginTenant: { name: 'login-tenant', quota: 1000, window: 600 },
  /** By person and browser, where the person signed in there before, so that strangers cannot use it up. */
  loginBrowser: { name: 'login-browser', quota: 10, window: 900 },
  // A guess hits a code of six digits with a chance of one in 333 000 (three steps count): at 30 a day, once in 30
  // years.
  secondFactor: { name: 'second-factor', quota: 30, window: 86_400 },
  /** By client: a first synchronisation makes its requests as fast as they are answered. */
  scim: { name: 'scim', quota: 3000, window: 60 },
  /** By client, at the endpoints of shared signals. */
  ssf: { name: 'ssf', quota: 600, window: 60 },
  registration: { name: 'registration', quota: 20, window: 3600 },
  registrationUpdates: { name: 'registration-updates', quota: 60, window: 3600 },
  clientDocuments: { name: 'client-documents', quota: 30, window: 600 },
  requestObjects: { name: 'request-objects', quota: 300, window: 600 },
  authorize: { name: 'authorize', quota: 3000, window: 600 },
  resetAccount: { name: 'reset-account', quota: 3, window: 3600 },
  resetAddress: { name: 'reset-address', quota: 10, window: 3600 },
  signInLinkAddress: { name: 'sign-in-link-address', quota: 30, window: 3600 },
  deviceRequests: { name: 'device-requests', quota: 600, window: 60 },
  device: { name: 'device', quota: 10, window: 600 },
  // 144 000 guesses a day, whoever makes them; with 100 devices waiting at any time, each hits one of 20^8 codes with
  // a chance of 4e-9: one hit in five years.
  deviceTenant: { name: 'device-tenant', quota: 1000, window: 600 },
  /** By client and hint, so that a client cannot ask a person again and again. */
  backchannelHint: { name: 'backchannel-hint', quota: 30, window: 600 },
  // A code of four characters is one of 78 million: 960 guesses a day hit it once in two hundred years.
  backchannelUserCode: { name: 'backchannel-user-code', quota: 10, window: 900 },
} satisfies Record<string, QuotaPolicy>

/** Limits that are counted for all nodes together, because guesses may arrive at any node. */
export const sharedLimits: ReadonlySet<string> = new Set(
  [
    limits.tokenFailures,
    limits.tokenFailuresAddress,
    limits.loginAccount,
    limits.loginAddress,
    limits.loginTenant,
    limits.loginBrowser,
    limits.secondFactor,
    limits.registration,
    limits.registrationUpdates,
    limits.clientDocuments,
    limits.resetAccount,
    limits.resetAddress,
    limits.signInLinkAddress,
    limits.device,
    limits.deviceTenant,
    limits.backchannelHint,
    limits.backchannelUserCode,
  ].map(({ name }) => name),
)

export type LimitName = keyof typeof limits
/** A limit that is null is off. */
export type Limits = Readonly<Record<LimitName, QuotaPolicy | null>>

/** The limits with their counters. */
export interface CountedLimits {
  /** Charges `cost` units (1 by default); null where the limit is off, and nothing is counted. */
  take(limit: LimitName, key: string, cost?: number): Promise<QuotaDecision> | QuotaDecision | null
  /** Charges the limit of an address; nothing is counted where the address is not known. */
  takeByAddress(limit: LimitName, ip: string | null, cost?: number): Promise<QuotaDecision> | QuotaDecision | null
  /** Charges one unit of each limit, or none of all if one refuses; a limit that is off is not counted. */
  takeAll(keys: CountedKeys): Promise<CountedTake>
  /** Refunds units that were charged for a failure that did not happen. */
  giveBack(keys: CountedKeys): Promise<void>
  /** Refunds them in a commit: returns the units for the verb, which refunds them only if it commits. */
  giveBackWithCommit(keys: CountedKeys): readonly ReturnedUnit[]
}

export type CountedKeys = readonly (readonly [LimitName, string])[]

export interface CountedTake {
  /** In the order of the keys, up to the limit that refuses; null where the limit is off. */
  readonly decisions: readonly (QuotaDecision | null)[]
  /** The refusing decision, if any; then nothing was charged. */
  readonly refused: QuotaDecision | null
}

/** `reached` is called for every refusal. */
export function countedLimits(
  limits: Limits,
  limiter: Pick<Limiter, 'take' | 'takeAll' | 'giveBack' | 'giveBackWithCommit'>,
  reached: (limit: LimitName, policy: QuotaPolicy, key: string) => void = () => {},
): CountedLimits {
  const take: CountedLimits['take'] = (limit, key, cost) => {
    const policy = limits[limit]
    if (policy === null) return null
    const noted = (decision: QuotaDecision): QuotaDecision => {
      if (!decision.allowed) reached(limit, policy, key)
      return decision
    }
    const decision = limiter.take(policy, key, cost)
    return 'then' in decision ? decision.then(noted) : noted(decision)
  }
  const countedOf = (keys: CountedKeys) =>
    keys.flatMap(([limit, key]) => {
      const policy = limits[limit]
      return policy === null ? [] : [{ limit, policy, key }]
    })
  return {
    take,
    takeByAddress: (limit, ip, cost) => (ip === null ? null : take(limit, addressKey(ip), cost)),
    async takeAll(keys) {
      const counted = countedOf(keys)
      const outcomes = await limiter.takeAll(counted)
      const [last, decision] = [counted[outcomes.length - 1], outcomes.at(-1)]
      const refused = decision?.allowed === false ? decision : null
      if (refused !== null && last !== undefined) reached(last.limit, last.policy, last.key)
      const inTurn = outcomes.values()
      const decisions = keys.map(([limit]) => (limits[limit] === null ? null : (inTurn.next().value ?? null)))
      return { decisions, refused }
    },
    async giveBack(keys) {
      const counted = countedOf(keys)
      if (counted.length > 0) await limiter.giveBack(counted)
    },
    giveBackWithCommit: (keys) => limiter.giveBackWithCommit(countedOf(keys)),
  }
}

/** A refusal with the quotas to be sent with it. */
export type LimitRefusal = Err<Refusal> & { readonly quota: readonly QuotaDecision[] }

/** The refusal for a decision that is over the limit; null otherwise. */
export function limitReached(taken: QuotaDecision | null): LimitRefusal | null {
  if (taken === null || taken.allowed) return null
  return { ...err({ reason: 'limit_reached', limit: taken.policy, retryAfter: retryAfter(taken) }), quota: [taken] }
}
