/** What is open for callers: looked at now and then, and cut when the token it was opened with is over. */
import type { Caller } from '../validate/caller.ts'
import type { Ending } from '../validate/ending.ts'
import type { StalePolicy } from '../validate/presented-credentials.ts'
import type { Validator } from '../validate/validator.ts'

export interface OpenExchange {
  /** Whose it is; null while nothing is open here. */
  readonly caller: Caller | null
  /** Wall time at or before its beginning; 0 until the first look at it, so that a request that is soon over reads no clock. */
  seenAt: number
  cut(ending: Ending): void
}

export interface OpenExchanges {
  add(exchange: OpenExchange): void
  delete(exchange: OpenExchange): void
  /** Why what was opened then is to end by now. */
  endOf(caller: Caller, openedAt: number): Ending | null | Promise<Ending | null>
}

/** A revocation arrives within a second or so; nobody is helped by looking more often. */
const lookEvery = 500

type ByPolicy = Map<StalePolicy | undefined, OpenExchanges>
const known = new WeakMap<Validator, ByPolicy>()

/** One for each validator and policy of routes, and one timer while there is anything to look at. */
export function openExchanges(validator: Validator, onStale?: StalePolicy): OpenExchanges {
  const held: ByPolicy = known.get(validator) ?? new Map()
  const watched = held.get(onStale) ?? watchExchanges(validator, onStale)
  known.set(validator, held.set(onStale, watched))
  return watched
}

function watchExchanges(validator: Validator, onStale?: StalePolicy): OpenExchanges {
  const all = new Set<OpenExchange>()
  let timer: ReturnType<typeof setInterval> | null = null
  let lookedAt = 0

  const endOf = (caller: Caller, openedAt: number) => validator.endOf?.(caller, openedAt, onStale) ?? null

  function look(): void {
    if (all.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const now = Date.now()
    // What is new was opened since the last look: counted from there, a token that expired meanwhile is over.
    const since = lookedAt
    lookedAt = now
    for (const exchange of all) {
      const { caller } = exchange
      if (caller === null) continue
      if (exchange.seenAt === 0) exchange.seenAt = since
      const ending = endOf(caller, exchange.seenAt)
      if (ending instanceof Promise) void ending.then((late) => isStill(exchange, caller) && cut(exchange, late))
      else cut(exchange, ending)
    }
  }

  /** By the time that a list is here it may be over, or something else be open in its place. */
  const isStill = (exchange: OpenExchange, caller: Caller): boolean => all.has(exchange) && exchange.caller === caller

  const cut = (exchange: OpenExchange, ending: Ending | null): void => {
    if (ending !== null) exchange.cut(ending)
  }

  return {
    add(exchange) {
      all.add(exchange)
      if (timer !== null) return
      lookedAt = Date.now()
      timer = setInterval(look, lookEvery).unref()
    },
    delete: (exchange) => void all.delete(exchange),
    endOf,
  }
}

export interface CallerWatch extends Disposable {
  /** Aborted, with the ending as its reason, when the caller's token expires, is revoked, or can no longer be judged. */
  readonly signal: AbortSignal
  /** To be called when the work is over; it is, where the signal has fired. */
  close(): void
}

/** For work of one's own that outlives an answer: `using watch = watchCaller(validator, caller)`. `onStale` as the route has it. */
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
