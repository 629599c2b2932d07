/** The limits of the authority: which there are (docs/configuration.md), and how they are counted by name. */
import { type QuotaDecision, type QuotaPolicy, retryAfter } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import { type Err, err } from '@grantor/protocol/result'
import { addressKey } from '@grantor/protocol/uri'
import type { ReturnedUnit } from '@grantor/store'
import type { Limiter } from '../ports/limiter.ts'

export { addressKey }

export const limits = {
  token: { name: 'token', quota: 600, window: 60 },
  /** By client and address: nobody locks the neighbours behind one address out. */
  tokenFailures: { name: 'token-failures', quota: 60, window: 60 },
  tokenFailuresAddress: { name: 'token-failures-address', quota: 600, window: 60 },
  loginAccount: { name: 'login-account', quota: 10, window: 900 },
  loginAddress: { name: 'login-address', quota: 50, window: 900 },
  // 144 000 guesses a day at all accounts of a tenant together, from however many addresses.
  loginTenant: { name: 'login-tenant', quota: 1000, window: 600 },
  /** By person and browser, where they signed in there before: strangers cannot use it up. */
  loginBrowser: { name: 'login-browser', quota: 10, window: 900 },
  // A code of six digits is hit by one guess in 333 000 (three steps count): at 30 a day one in 30 years.
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
  /** By client and hint: a person is not asked again and again. */
  backchannelHint: { name: 'backchannel-hint', quota: 30, window: 600 },
  // A code of four signs is one of 78 million: 960 guesses a day hit it once in two hundred years.
  backchannelUserCode: { name: 'backchannel-user-code', quota: 10, window: 900 },
} satisfies Record<string, QuotaPolicy>

/** Limits that hold for all nodes together: guesses are counted wherever they arrive. */
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

/** The limits as they are counted here. */
export interface CountedLimits {
  /** Takes `cost` units (1 by default); null where the limit is off, and nothing is counted. */
  take(limit: LimitName, key: string, cost?: number): Promise<QuotaDecision> | QuotaDecision | null
  /** The same by address; nothing is counted where it is not known. */
  takeByAddress(limit: LimitName, ip: string | null, cost?: number): Promise<QuotaDecision> | QuotaDecision | null
  /** One of each, or none; where a limit is off nothing is counted. */
  takeAll(keys: CountedKeys): Promise<CountedTake>
  /** Gives back what was taken against a failure that did not happen. */
  giveBack(keys: CountedKeys): Promise<void>
  /** The same with the commit that rests on it not having happened: the units that its verb gives back. */
  giveBackWithCommit(keys: CountedKeys): readonly ReturnedUnit[]
}

export type CountedKeys = readonly (readonly [LimitName, string])[]

export interface CountedTake {
  /** In the order of the keys, up to the one that refuses; null where the limit is off. */
  readonly decisions: readonly (QuotaDecision | null)[]
  /** Nothing was taken then. */
  readonly refused: QuotaDecision | null
}

/** `reached` is told of every refusal. */
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
    const taken = limiter.take(policy, key, cost)
    return 'then' in taken ? taken.then(noted) : noted(taken)
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
      const taken = await limiter.takeAll(counted)
      const [last, decision] = [counted[taken.length - 1], taken.at(-1)]
      const refused = decision?.allowed === false ? decision : null
      if (refused !== null && last !== undefined) reached(last.limit, last.policy, last.key)
      const inTurn = taken.values()
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

/** A refusal, with the limits that it is told with. */
export type LimitRefusal = Err<Refusal> & { readonly quota: readonly QuotaDecision[] }

/** The refusal of what was over the limit; null for all else. */
export function limitReached(taken: QuotaDecision | null): LimitRefusal | null {
  if (taken === null || taken.allowed) return null
  return { ...err({ reason: 'limit_reached', limit: taken.policy, retryAfter: retryAfter(taken) }), quota: [taken] }
}
