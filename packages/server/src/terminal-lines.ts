/** Log lines as plain text, for terminals. Files and pipes get the JSON. */
import { pino } from 'pino'

interface LoggedError {
  readonly stack?: unknown
}

interface LoggedLine {
  readonly level: number
  readonly time: string
  readonly msg?: string
  /** Values that an app sent, by name. */
  readonly sent?: Readonly<Record<string, unknown>>
  readonly err?: LoggedError
}

/** Members that are shown in another way, or not at all. */
const known: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'msg', 'sent', 'err'])

/** `14:03:07 info a person was shown an error  reason=client_unknown clientId=shop`. */
export function terminalLine(json: string): string {
  const line = JSON.parse(json) as LoggedLine
  const facts = Object.entries({ ...line, ...line.sent })
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ` ${harmless(name)}=${shown(value)}`)
  const head = `${line.time.slice(11, 19)} ${pino.levels.labels[line.level] ?? line.level} ${harmless(line.msg ?? '')}`
  return `${[head, facts.join('')].filter(Boolean).join(' ')}\n${stackOf(line.err)}`
}

/** Without quotes where the value is one plain word. */
function shown(value: unknown): string {
  const isWord = typeof value === 'string' && /^[\w.:/@?&=%+~-]+$/.test(value)
  return isWord ? value : harmless(JSON.stringify(value))
}

function stackOf(error: LoggedError | undefined): string {
  if (typeof error?.stack !== 'string') return ''
  return error.stack
    .split('\n')
    .map((line) => `  ${harmless(line)}\n`)
    .join('')
}

// C0, DEL, C1, and characters that change the direction of text: input of strangers must not control the terminal.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const harmless = (text: string): string =>
  text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
