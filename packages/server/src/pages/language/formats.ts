/** Numbers, times and plurals of one language, all by Intl. */

/** By the categories of CLDR; a language has those that its counts need (a test insists), and `other` always. */
export type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

export interface Formats {
  /** The form of a message that fits the count, with `#` where the count stands in it. */
  plural(count: number, forms: PluralForms): string
  /** Names one after the other. */
  list(names: readonly string[]): string
  date(at: number): string
  /** With the zone: the server does not know the reader's, so it says which one it means. */
  dateTime(at: number): string
  /** "2 hours ago": true in every time zone. */
  ago(at: number, now: number): string
  /** The largest whole unit: 600 → "10 minutes", 2592000 → "30 days". */
  duration(seconds: number): string
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Made when first used, and once per language: an Intl object costs far more to make than to use. */
export function formatsOf(tag: string): Formats {
  const rules = once(() => new Intl.PluralRules(tag))
  const count = once(() => new Intl.NumberFormat(tag))
  const names = once(() => new Intl.ListFormat(tag, { type: 'unit', style: 'short' }))
  const date = once(() => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }))
  const time = once(() => new Intl.DateTimeFormat(tag, timeParts))
  const relative = once(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const spans = Object.fromEntries(
    units.map(([unit]) => [unit, once(() => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }))]),
  ) as Record<(typeof units)[number][0], () => Intl.NumberFormat>
  return {
    plural: (n, forms) => (forms[rules().select(n)] ?? forms.other).replace('#', count().format(n)),
    list: (all) => names().format(all),
    date: (at) => date().format(at),
    dateTime: (at) => time().format(at),
    ago: (at, now) => {
      const past = Math.max(0, Math.round((now - at) / 1000))
      const [unit, size] = units.find(([, size]) => past >= size) ?? (['second', 1] as const)
      return unit === 'second' ? relative().format(0, 'second') : relative().format(-Math.floor(past / size), unit)
    },
    duration: (seconds) => {
      const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? (['second', 1] as const)
      return spans[unit]().format(seconds / size)
    },
  }
}

const timeParts: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
