/** The kinds of setting values: how each is read from text or YAML, and described. */
import { isAbsolute, resolve } from 'node:path'

/** A value as a flag, a variable or a YAML file can give it. */
export type RawValue = string | number | boolean | readonly (string | number)[]

export interface Kind<T> {
  /** For the documentation: "port number". */
  readonly description: string
  /** `base` is the folder that relative paths start from. Undefined means: not a value of this kind. */
  read(raw: RawValue, base: string): T | undefined
  /** The value as the documentation and `config print` show it. */
  show(value: T): string
}

export const text: Kind<string> = {
  description: 'text',
  read: (raw) => (typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() || undefined : undefined),
  show: String,
}

export const path: Kind<string> = {
  description: 'path',
  read(raw, base) {
    if (typeof raw !== 'string' || raw.trim() === '') return undefined
    return isAbsolute(raw) ? raw : resolve(base, raw)
  },
  show: String,
}

/** The URL of a service that the operator runs. */
export const webAddress: Kind<string> = {
  description: 'http or https address',
  read: (raw) => (typeof raw === 'string' && /^https?:$/.test(URL.parse(raw)?.protocol ?? '') ? raw : undefined),
  show: String,
}

export const flag: Kind<boolean> = {
  description: 'true or false',
  read(raw) {
    if (typeof raw === 'boolean') return raw
    if (raw === 'true' || raw === '1') return true
    return raw === 'false' || raw === '0' ? false : undefined
  },
  show: String,
}

export const integer = (least: number, most: number): Kind<number> => ({
  description: `whole number from ${least} to ${most}`,
  read(raw) {
    const value = typeof raw === 'number' ? raw : typeof raw === 'string' && /^\d{1,10}$/.test(raw) ? Number(raw) : NaN
    return Number.isInteger(value) && value >= least && value <= most ? value : undefined
  },
  show: String,
})

export const port: Kind<number> = { ...integer(0, 65_535), description: 'port number (0 = any free one)' }

export const portOrOff: Kind<number | 'off'> = {
  description: `${port.description}, or \`off\``,
  read: (raw, base) => (raw === 'off' || raw === false ? 'off' : port.read(raw, base)),
  show: String,
}

export const integerOrAuto = (least: number, most: number): Kind<number | 'auto'> => ({
  description: `${integer(least, most).description}, or \`auto\``,
  read: (raw, base) => (raw === 'auto' ? 'auto' : integer(least, most).read(raw, base)),
  show: String,
})

export const choice = <const T extends string>(...words: readonly T[]): Kind<T> => ({
  description: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
  // YAML reads on/off as text but true/false as booleans; both are accepted.
  read(raw) {
    const value = raw === true ? 'on' : raw === false ? 'off' : raw
    return words.find((word) => word === value)
  },
  show: String,
})

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Seconds, written `600`, `600s`, `10m`, `24h`, `90d`. */
export const duration = (least: number, most: number): Kind<number> => ({
  description: `duration from ${showDuration(least)} to ${showDuration(most)}`,
  read(raw) {
    const found = /^(\d{1,9})([smhd]?)$/.exec(String(raw))
    if (!found?.[1]) return undefined
    const seconds = Number(found[1]) * unitSeconds[(found[2] || 's') as keyof typeof unitSeconds]
    return seconds >= least && seconds <= most ? seconds : undefined
  },
  show: showDuration,
})

function showDuration(seconds: number): string {
  for (const unit of ['d', 'h', 'm'] as const) {
    if (seconds !== 0 && seconds % unitSeconds[unit] === 0) return `${seconds / unitSeconds[unit]}${unit}`
  }
  return `${seconds}s`
}

export interface Rate {
  readonly quota: number
  /** Seconds. */
  readonly window: number
}

/** `600/1m` allows a burst of 600, then one per 100 ms; `off` turns the limit off. */
export const rate: Kind<Rate | 'off'> = {
  description: 'count per duration (`600/1m`), or `off`',
  read(raw) {
    if (raw === 'off' || raw === false) return 'off'
    const [count = '', window = '', ...rest] = String(raw).split('/')
    const quota = integer(1, 1_000_000).read(count, '')
    const span = duration(1, 86_400).read(window, '')
    return quota === undefined || span === undefined || rest.length > 0 ? undefined : { quota, window: span }
  },
  show: (value) => (value === 'off' ? value : `${value.quota}/${showDuration(value.window)}`),
}

/** A comma-separated text, or a YAML list. */
export const list: Kind<readonly string[]> = {
  description: 'list, separated by commas',
  read(raw) {
    if (typeof raw === 'boolean') return undefined
    const parts = Array.isArray(raw) ? raw.map(String) : String(raw).split(',')
    const words = parts.map((part) => part.trim()).filter((part) => part !== '')
    return words.length > 0 ? words : undefined
  },
  show: (value) => value.join(','),
}
