/** A file of authorities that is read again when it was changed: looked at when it is needed, by whatever process needs it. */
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'

/** Milliseconds between two looks. */
const lookEvery = 1_000

export interface AuthorityFile<T> {
  readonly path: string
  read(path: string): T
  /** What lies there now cannot be used: the one from before is believed on. */
  failed(reason: string): void
}

/** Throws what `read` throws the first time; afterwards never. */
export function openAuthorityFile<T>({ path, read, failed }: AuthorityFile<T>, now = () => performance.now()): () => T {
  let state = stateOf(path)
  let value = read(path)
  let looked = now()
  return () => {
    if (now() - looked < lookEvery) return value
    looked = now()
    const found = stateOf(path)
    if (found === state) return value
    state = found
    try {
      value = read(path)
    } catch (cause) {
      failed(cause instanceof Error ? cause.message : String(cause))
    }
    return value
  }
}

/** The certificates of a file in PEM, each by itself: what cannot be read among them would be left out without a word. */
export function authoritiesAt(path: string, variable: string): readonly string[] {
  try {
    const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? []
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString())
  } catch (cause) {
    throw new StartError(`${variable}: ${path} cannot be read as certificates in PEM`, { cause })
  }
  throw new StartError(`${variable}: ${path} holds no certificate in PEM`)
}

export const tellKept =
  (log: Pick<Logger, 'warn'>, setting: string) =>
  (reason: string): void =>
    log.warn({ reason, setting }, 'authorities cannot be read anew: those from before are believed')

function stateOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino, dev } = statSync(path)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino} ${dev}`
  } catch (cause) {
    return String((cause as NodeJS.ErrnoException).code)
  }
}
