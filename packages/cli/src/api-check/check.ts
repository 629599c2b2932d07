/** A check of an API: one convention, its clause, the remedy, and the code that tests it. */
import type { ApiModel } from './model.ts'
import type { Answer } from './exchange.ts'

export type Outcome = 'pass' | 'fail' | 'warn' | 'skip'

export interface Finding {
  readonly outcome: Outcome
  readonly detail: string
}

export interface CheckContext {
  readonly api: ApiModel
  /** All requests go to this origin, whatever an answer names. */
  readonly origin: string
  /** Sends a request with the given credentials. */
  send(request: CheckRequest): Promise<Answer>
  /** Sends a request without credentials. */
  sendAnonymous(request: CheckRequest): Promise<Answer>
  /** One page of a list, and one item; each is requested only once. */
  list(): Promise<Answer | null>
  item(): Promise<Answer | null>
  /** The path of the item requested last. */
  itemPath(): string | null
  /** The resource created for the checks that write; null where none can be created. */
  made(): Promise<MadeResource | null>
  /** Deletes a created resource; those that cannot be deleted are reported at the end. */
  remove(target: string, by: Answer): Promise<void>
  readonly hasCredentials: boolean
  /** A valid token without the scope of the list; null where none was given. */
  readonly scopelessToken: string | null
}

export interface MadeResource {
  readonly path: string
  readonly answer: Answer
  readonly body: string
  /** The Idempotency-Key of its request, so that the same request can be sent again. */
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
  /** The check changes something: it runs only with --write. */
  readonly writes?: true
  run(context: CheckContext): Promise<Finding>
}

export const passed = (detail = 'as it should be'): Finding => ({ outcome: 'pass', detail })
export const failed = (detail: string): Finding => ({ outcome: 'fail', detail })
export const warned = (detail: string): Finding => ({ outcome: 'warn', detail })
export const skipped = (detail: string): Finding => ({ outcome: 'skip', detail })

/** The usual form: a condition, and the text about what was seen where it does not hold. */
export const expect = (holds: boolean, seen: string, good?: string): Finding => (holds ? passed(good) : failed(seen))

/** Results of checks that need a list, an item or a created resource where there is none. */
export const noList = skipped('the document names no list that can be read without further input')
export const noItem = skipped('no single item could be found')
export const nothingMade = skipped('nothing could be created from the examples of the document')
