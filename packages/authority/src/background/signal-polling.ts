/**
 * Polls providers for security events. Each provider with a polling address has a row in the store; any node leases a
 * row, polls, and sets when it is due again. Two polls at once are harmless: a token takes effect once.
 */
import { isPolled } from '@grantor/protocol/providers'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { SignalPoll, Store } from '@grantor/store'
import { openSignalsAuthorization, type SignalsAuthorizationDependencies } from '../providers/signals/authorization.ts'
import { type PollDependencies, type PollOutcome, pollSignals } from '../providers/signals/poll.ts'
import { servedProviders } from '../providers/served-providers.ts'
import { spread } from '../webhooks/judge-attempt.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'

export type SignalPollingDependencies = Omit<PollDependencies, 'authorization'> &
  SignalsAuthorizationDependencies & { readonly store: Pick<Store, 'directory' | 'signalPolls'> }

/** Milliseconds between polls: usually, while more events wait, and at most after failures. */
const pause = { usual: 10_000, more: 1_000, longest: 600_000 }
/** The longest Retry-After of a provider that is honoured: its events end sessions here, so they cannot wait longer. */
const longestAsked = 3_600_000
/** Milliseconds after which a turn ends; its last steps take less than the time by which the lease is longer. */
const longestTurn = 30_000
const lease = 60_000
const atOnce = 8
const atOncePerTenant = 2
/** A change of the providers wakes the loop; this is for polls that come due. */
const lookEvery = 2_000
const restBetweenRuns = 200
const tokensAtOnce = 50

export function openSignalPolling(deps: SignalPollingDependencies): Deliveries {
  const { signalPolls } = deps.store
  const authorization = openSignalsAuthorization(deps)
  let closing = false

  async function turn(row: SignalPoll): Promise<void> {
    const { tenant } = row
    const began = deps.clock.now()
    const provider = servedProviders(await deps.directory.currentCatalogue(tenant)).find(
      (served) => served.id === row.provider && isPolled(served),
    )
    // The tenant is disabled. (The rows of a deleted provider are deleted with it.)
    if (provider === undefined) {
      await signalPolls.settle(row, after(began, pause.longest))
      return
    }
    const isOver = (): boolean => closing || deps.clock.now() - began > longestTurn
    // After an answer that was too long, the events are polled one by one.
    const most = row.error === 'size' ? 1 : tokensAtOnce
    const outcome = await pollSignals({ tenant, provider, most, isOver }, { ...deps, authorization })
    await settle(row, outcome, began)
  }

  async function settle(row: SignalPoll, { taken, refused, failure, more, retryAfter }: PollOutcome, began: Instant) {
    const now = deps.clock.now()
    const receivedAt = taken > 0 ? now : row.receivedAt
    const failures = failure === null ? 0 : row.failures + 1
    const failingSince = failure === null ? null : (row.failingSince ?? now)
    // The error of a refused event is shown until an event is accepted; that of an outage only while it lasts.
    const errorBefore = taken > 0 || row.failingSince !== null ? null : row.error
    const error = failure ?? refused ?? errorBefore
    const waitAfterSuccess = more ? pause.more : pause.usual
    const waitAfterFailure = Math.min(pause.usual * 2 ** Math.min(failures, 10), pause.longest)
    const wait = failure === null ? waitAfterSuccess : waitAfterFailure
    const health = { askedAt: began, receivedAt, failures, failingSince, error }
    await signalPolls.settle(
      { ...row, ...health },
      after(now, Math.max(spread(wait, Math.random()), Math.min(retryAfter * 1000, longestAsked))),
    )
  }

  const deliveries = openDeliveries<SignalPoll>({
    every: lookEvery,
    watch: (wake) => deps.store.directory.watch(wake),
    rest: restBetweenRuns,
    atOnce,
    async take(underWay) {
      const now = deps.clock.now()
      if (!(await signalPolls.due(now))) return null
      return signalPolls.take({ now, lease, busy: busyTenants(underWay) })
    },
    deliver: turn,
  })
  return {
    ...deliveries,
    async close() {
      closing = true
      await deliveries.close()
    },
  }
}

const busyTenants = (underWay: readonly SignalPoll[]): readonly TenantId[] =>
  [...Map.groupBy(underWay, ({ tenant }) => tenant)]
    .filter(([, held]) => held.length >= atOncePerTenant)
    .map(([tenant]) => tenant)

const after = (at: Instant, wait: number): Instant => (at + wait) as Instant
