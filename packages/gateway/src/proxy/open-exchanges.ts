/** What is open at the moment: each is cut when its token is revoked, and streams also when it expires. */
import type { Caller, Validator } from '@grantor/resource'

export interface OpenExchange {
  readonly caller: Caller
  /** A stream of events or an upgraded connection: it has no end of its own. */
  isStream: boolean
  /** Wall time at which a stream ends. */
  readonly endsAt: number
  cut(): void
}

export interface OpenExchanges {
  open(caller: Caller, cut: () => void): OpenExchange
  close(exchange: OpenExchange): void
  /** Ends what has no end of its own. */
  cutStreams(): void
  stop(): void
}

/** A revocation arrives within a second or so; nobody is helped by looking more often. */
const sweepEvery = 500
/** As the validator's: who comes with a token that has just expired is still served. */
const leeway = 60_000

export function watchExchanges(validator: () => Validator, now: () => number): OpenExchanges {
  const all = new Set<OpenExchange>()
  const sweep = setInterval(() => {
    const judge = validator()
    const at = now()
    for (const exchange of all) {
      const over = exchange.isStream && at >= exchange.endsAt
      if (over || judge.isRevoked?.(exchange.caller) === true) exchange.cut()
    }
  }, sweepEvery)
  sweep.unref()
  return {
    open(caller, cut) {
      const { expiresAt } = caller
      const exchange = { caller, isStream: false, endsAt: now() < expiresAt ? expiresAt : expiresAt + leeway, cut }
      all.add(exchange)
      return exchange
    },
    close: (exchange) => void all.delete(exchange),
    cutStreams: () => all.forEach((exchange) => (exchange.isStream ? exchange.cut() : undefined)),
    stop: () => clearInterval(sweep),
  }
}
