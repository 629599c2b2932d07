/** The pulse of the feed: reads on when the store says that something was committed, and at every heartbeat anyway. */
import type { Store } from '@grantor/store'

/** Milliseconds. */
export const heartbeat = 5_000
/** Under load every commit wakes us; reading the log more often than this tells nobody anything sooner. */
export const restBetweenReadings = 10

export interface FeedLoop {
  /** The tail moves only while somebody listens, or asks. */
  begin(): void
  end(): void
}

export function openFeedLoop(advance: () => void, { events }: Pick<Store, 'events'>): FeedLoop {
  let unwatch: (() => void) | null = null
  let beat: NodeJS.Timeout | null = null
  let rest: NodeJS.Timeout | null = null
  let again = false
  const woken = (): void => {
    if (rest !== null) {
      again = true
      return
    }
    rest = setTimeout(() => {
      rest = null
      if (again) woken()
    }, restBetweenReadings).unref()
    again = false
    advance()
  }
  return {
    begin() {
      unwatch ??= events.watch(woken)
      beat ??= setInterval(advance, heartbeat).unref()
    },
    end() {
      unwatch?.()
      if (beat !== null) clearInterval(beat)
      if (rest !== null) clearTimeout(rest)
    },
  }
}
