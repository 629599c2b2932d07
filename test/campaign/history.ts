/** The history of a campaign, as a list in a file: requests, answers, and what the log contains at the end. */
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Plan } from './plan.ts'

/**
 * Milliseconds since the start, by the one monotonic clock of the clients: when the request left, when the answer came.
 */
interface Asked {
  readonly asked: number
  readonly at: number
}

/**
 * Only acknowledged actions are `issued`, `refreshed`, `revoked` and so on; without an answer they may have happened.
 */
export type Entry =
  | ({ readonly kind: 'plan' } & Plan)
  | { readonly kind: 'fault'; readonly at: number; readonly what: string; readonly phase: 'begin' | 'end' | 'skipped' }
  /** A node did not start, because something that it needs is unavailable. */
  | { readonly kind: 'not started'; readonly at: number; readonly node: number; readonly why: string }
  | ({ readonly kind: 'issued'; readonly jti: string } & Asked)
  | ({ readonly kind: 'redeemed'; readonly code: string; readonly jti: string; readonly token: string } & Asked)
  | ({ readonly kind: 'refreshed'; readonly from: string; readonly to: string; readonly jti: string } & Asked)
  | ({ readonly kind: 'unanswered'; readonly what: string; readonly of: string } & Asked)
  | ({ readonly kind: 'unexpected'; readonly what: string; readonly status: number; readonly body: string } & Asked)
  | ({ readonly kind: 'revoked'; readonly jti: string } & Asked)
  /** A grant, named by its refresh token; `jti` is one of its access tokens. `doubtful`: it may have ended before. */
  | ({
      readonly kind: 'grant revoked'
      readonly token: string
      readonly jti: string
      readonly doubtful: boolean
    } & Asked)
  | ({ readonly kind: 'introspected'; readonly node: number; readonly jti: string; readonly active: boolean } & Asked)
  | ({
      readonly kind: 'validated'
      readonly validator: number
      readonly jti: string
      /** The code of a refusal, or 'accepted'. */
      readonly verdict: string
    } & Asked)
  | ({ readonly kind: 'client made'; readonly client: string } & Asked)
  | ({ readonly kind: 'client deleted'; readonly client: string } & Asked)
  | ({ readonly kind: 'client delete tried'; readonly client: string } & Asked)
  /**
   * The latest refresh token of a holder is refused. `triedFor`: milliseconds since it was first sent. `doubtful`: a
   * request that the client gave up may have been processed later, so that the next use counts as a replay and ends the
   * grant.
   */
  | { readonly kind: 'refused'; readonly token: string; readonly triedFor: number; readonly doubtful: boolean }
  | { readonly kind: 'recovered'; readonly node: number; readonly after: number | null }
  | { readonly kind: 'stopped'; readonly node: number; readonly code: number | null }
  | { readonly kind: 'verified'; readonly code: number | null; readonly text: string }
  | LoggedEvent
  | { readonly kind: 'client'; readonly client: string }
  | { readonly kind: 'statistics'; readonly issued: number; readonly revoked: number }

export interface LoggedEvent {
  readonly kind: 'event'
  readonly seq: number
  readonly name: string
  readonly jti?: string
  readonly grant?: string
  readonly client?: string
}

/** Codes and refresh tokens are written to the file as a hash, which nobody can use. */
export const nameOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 16)

export class Recorder {
  readonly entries: Entry[] = []
  readonly #file: string
  readonly #began = performance.now()

  constructor(file: string) {
    this.#file = file
    writeFileSync(file, '', { mode: 0o600 })
  }

  now(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10
  }

  add(entry: Entry): void {
    this.entries.push(entry)
    // Written at once, so that the history is complete if a campaign breaks off.
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}

export const readHistory = (file: string): readonly Entry[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
