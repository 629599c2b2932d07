/** A file of CA certificates that is read again when it has changed; checked when it is used, in any process. */
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'

/** Milliseconds between two checks. */
const lookEvery = 1_000

export interface AuthorityFile<T> {
  readonly path: string
  read(path: string): T
  /** Called where the changed file cannot be used; the previous content stays in use. */
  failed(reason: string): void
}

/** Throws what `read` throws at first; the returned function never throws. */
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

/** Parses each certificate of a PEM file by itself, because TLS would silently skip one that cannot be read. */
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
