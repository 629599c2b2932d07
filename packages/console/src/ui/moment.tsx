/** Moments: how long ago or ahead for the eye, exact in the title. */
import { useSyncExternalStore } from 'react'
import { frame } from '../messages/frame.ts'
import type { Language } from '../messages/words.ts'
import { usePreferences, useSay } from './preferences.tsx'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `seconds` ahead, or ago where negative. */
export function relativeTime(seconds: number, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  // What happened in this minute happened now: nothing on the page counts seconds.
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.round(seconds / size), unit)
}

/** One clock for all of them. */
let now = Date.now()
const subscribe = (listener: () => void): (() => void) => {
  // What has come just now is not in the future.
  now = Date.now()
  const timer = setInterval(() => {
    now = Date.now()
    listener()
  }, 30_000)
  return () => clearInterval(timer)
}

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** With the zone: what is read here is told to others, and held against the logs of other machines. */
export const exactTime = (at: string, language: Language, withSeconds = true): string =>
  new Date(at).toLocaleString(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  })

interface MomentProps {
  readonly at: string | null | undefined
  /** Of what is yet to be done: once its time is there, it is due now. */
  readonly ahead?: boolean
}

export function Moment({ at, ahead = false }: MomentProps) {
  const { language } = usePreferences()
  const say = useSay()
  const present = useNow()
  if (at === null || at === undefined) return <span className="muted">{say(frame.never)}</span>
  return (
    <time dateTime={at} title={exactTime(at, language)}>
      {relativeTime(Math.max((Date.parse(at) - present) / 1000, ahead ? 0 : -Infinity), language)}
    </time>
  )
}
