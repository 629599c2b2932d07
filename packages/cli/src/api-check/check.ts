/** What a check of an API is: one convention, the clause it comes from, what to do about it, and how it is looked at. */
import type { ApiModel } from './model.ts'
import type { Answer } from './exchange.ts'

export type Outcome = 'pass' | 'fail' | 'warn' | 'skip'

export interface Finding {
  readonly outcome: Outcome
  readonly detail: string
}

export interface CheckContext {
  readonly api: ApiModel
  /** Nothing is sent to another one, whatever an answer names. */
  readonly origin: string
  /** With the credentials that were given. */
  send(request: CheckRequest): Promise<Answer>
  /** Without any. */
  sendAnonymous(request: CheckRequest): Promise<Answer>
  /** One page of a list, and one item, asked for once. */
  list(): Promise<Answer | null>
  item(): Promise<Answer | null>
  /** Of the item that was asked for last. */
  itemPath(): string | null
  /** What was made for the checks that write; null where nothing can be made. */
  made(): Promise<MadeResource | null>
  /** Deletes what an answer says was made; what stays is told at the end. */
  remove(target: string, by: Answer): Promise<void>
  readonly hasCredentials: boolean
  /** A good token that may not read the list; null where none was given. */
  readonly scopelessToken: string | null
}

export interface MadeResource {
  readonly path: string
  readonly answer: Answer
  readonly body: string
  /** The Idempotency-Key it was made with, so that the very request can be sent again. */
  readonly key: string
}

export interface CheckRequest {
  readonly method?: string
  /** Path and query, from the root of the host. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Check {
  readonly name: string
  readonly group: string
  readonly clause: string
  readonly remedy: string
  /** It changes something: only with --write. */
  readonly writes?: true
  run(context: CheckContext): Promise<Finding>
}

export const passed = (detail = 'as it should be'): Finding => ({ outcome: 'pass', detail })
export const failed = (detail: string): Finding => ({ outcome: 'fail', detail })
export const warned = (detail: string): Finding => ({ outcome: 'warn', detail })
export const skipped = (detail: string): Finding => ({ outcome: 'skip', detail })

/** The usual form: a condition, and what was seen where it does not hold. */
export const expect = (holds: boolean, seen: string, good?: string): Finding => (holds ? passed(good) : failed(seen))

/** What the same list or item says again for every check that needs it and has none. */
export const noList = skipped('the document names no list that can be read without further input')
export const noItem = skipped('no single item could be found')
export const nothingMade = skipped('nothing could be created from the examples of the document')
