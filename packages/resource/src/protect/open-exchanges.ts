/** Streams, long polls and the like that are open for callers: checked regularly, and cut when their token ends. */
import type { Caller } from '../validate/caller.ts'
import type { Ending } from '../validate/ending.ts'
import type { StalePolicy } from '../validate/presented-credentials.ts'
import type { Validator } from '../validate/validator.ts'

export interface OpenExchange {
  /** The caller it serves; null while nothing is open on it. */
  readonly caller: Caller | null
  /** Wall time at or before its start; 0 until the first check, so that a short request never reads the clock. */
  seenAt: number
  cut(ending: Ending): void
}

export interface OpenExchanges {
  add(exchange: OpenExchange): void
  delete(exchange: OpenExchange): void
  /** Why an exchange of this caller that was opened at `openedAt` must end now; null while it may go on. */
  endOf(caller: Caller, openedAt: number): Ending | null | Promise<Ending | null>
}

/** A revocation takes a second or so to arrive, so to check more often would cut nothing sooner. */
const checkEvery = 500

type ByPolicy = Map<StalePolicy | undefined, OpenExchanges>
const watchedByValidator = new WeakMap<Validator, ByPolicy>()

/** The open exchanges of one validator and stale policy, with one timer while any are open. */
export function openExchanges(validator: Validator, onStale?: StalePolicy): OpenExchanges {
  const byPolicy: ByPolicy = watchedByValidator.get(validator) ?? new Map()
  const watched = byPolicy.get(onStale) ?? watchExchanges(validator, onStale)
  watchedByValidator.set(validator, byPolicy.set(onStale, watched))
  return watched
}

function watchExchanges(validator: Validator, onStale?: StalePolicy): OpenExchanges {
  const all = new Set<OpenExchange>()
  let timer: ReturnType<typeof setInterval> | null = null
  let checkedAt = 0

  const endOf = (caller: Caller, openedAt: number) => validator.endOf?.(caller, openedAt, onStale) ?? null

  function checkAll(): void {
    if (all.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const now = Date.now()
    // A new exchange was opened after the last check. With the time of that check as its start, a token that expired
    // since then counts as ended.
    const lastCheck = checkedAt
    checkedAt = now
    for (const exchange of all) {
      const { caller } = exchange
      if (caller === null) continue
      if (exchange.seenAt === 0) exchange.seenAt = lastCheck
      const ending = endOf(caller, exchange.seenAt)
      if (ending instanceof Promise) void ending.then((late) => isStillOpen(exchange, caller) && cut(exchange, late))
      else cut(exchange, ending)
    }
  }

  /** While a status list was fetched, the exchange may have ended, or its place been taken by another caller's. */
  const isStillOpen = (exchange: OpenExchange, caller: Caller): boolean =>
    all.has(exchange) && exchange.caller === caller

  const cut = (exchange: OpenExchange, ending: Ending | null): void => {
    if (ending !== null) exchange.cut(ending)
  }

  return {
    add(exchange) {
      all.add(exchange)
      if (timer !== null) return
      checkedAt = Date.now()
      timer = setInterval(checkAll, checkEvery).unref()
    },
    delete: (exchange) => void all.delete(exchange),
    endOf,
  }
}

export interface CallerWatch extends Disposable {
  /** Aborted, with the ending as its reason, when the caller's token expires, is revoked, or can no longer be judged. */
  readonly signal: AbortSignal
  /** Call when the work is done. Not needed once the signal has fired. */
  close(): void
}

/**
 * For work that outlives its answer: `using watch = watchCaller(validator, caller)`. `onStale`: the policy of the
 * route.
 */
export function watchCaller(validator: Validator, caller: Caller, onStale?: StalePolicy): CallerWatch {
  const controller = new AbortController()
  const open = openExchanges(validator, onStale)
  const close = (): void => open.delete(exchange)
  const exchange: OpenExchange = {
    caller,
    seenAt: Date.now(),
    cut(ending) {
      close()
      controller.abort(ending)
    },
  }
  open.add(exchange)
  return { signal: controller.signal, close, [Symbol.dispose]: close }
}
