/**
 * The exchanges that are open. Each is cut when its token is revoked. One without a known end (a stream, an answer
 * without length) is cut as well when its token expires or can no longer be judged.
 */
import type { Caller, Ending, StalePolicy, Validator } from '@grantor/resource'
import type { Route } from '../routing/routes.ts'

export interface OpenExchange {
  /** Null where the route needs no token: then only the end of the gateway cuts it. */
  readonly caller: Caller | null
  /** An event stream, an upgraded connection or a request that waits for its answer: it has no end of its own. */
  isStream: boolean
  /** The answer states its length; any other may go on for ever, whatever its type. */
  hasLength: boolean
  /** Wall time. */
  readonly openedAt: number
  /** The policy of its route. */
  readonly onStale: StalePolicy | undefined
  cut(ending: Ending | null): void
}

export interface OpenedFor {
  readonly caller: Caller | null
  readonly route: Pick<Route, 'onStale'>
}

export interface OpenExchanges {
  open(of: OpenedFor, isStream: boolean, cut: OpenExchange['cut']): OpenExchange
  close(exchange: OpenExchange): void
  /** Ends the exchanges that have no end of their own. */
  cutStreams(): void
  stop(): void
}

/** A revocation takes a second or so to arrive, so to check more often would cut nothing sooner. */
const sweepEvery = 500

export function watchExchanges(validator: () => Validator, now: () => number): OpenExchanges {
  const all = new Set<OpenExchange>()
  const settle = (exchange: OpenExchange, ending: Ending | null): void => {
    const hasNoEnd = exchange.isStream || !exchange.hasLength
    if (ending === 'revoked' || (ending !== null && hasNoEnd)) exchange.cut(ending)
  }
  const sweep = setInterval(() => {
    const judge = validator()
    for (const exchange of all) {
      const { caller, openedAt, onStale } = exchange
      const ending = caller === null ? null : (judge.endOf?.(caller, openedAt, onStale) ?? null)
      if (ending instanceof Promise) void ending.then((late) => settle(exchange, late))
      else settle(exchange, ending)
    }
  }, sweepEvery)
  sweep.unref()
  return {
    open({ caller, route: { onStale } }, isStream, cut) {
      const exchange = { caller, isStream, hasLength: true, openedAt: now(), onStale, cut }
      all.add(exchange)
      return exchange
    },
    close: (exchange) => void all.delete(exchange),
    cutStreams: () => all.forEach((exchange) => (exchange.isStream ? exchange.cut(null) : undefined)),
    stop: () => clearInterval(sweep),
  }
}
