/** Sends calls that arrive together as one batch; calls that arrive meanwhile form the next batch. */
import { StoreUnavailable } from '../../../contract/store.ts'
import { isOver } from '../silence.ts'

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly resolve: (answer: Answer | Promise<Answer>) => void
  readonly reject: (error: unknown) => void
}

export interface BatchedCalls<Call, Answer> {
  /** The answers of all calls, in their order; undefined for a call that must be repeated alone. */
  together(calls: readonly Call[]): Promise<readonly (Answer | undefined)[]>
  alone(call: Call): Promise<Answer>
  /** Calls that share a key are not sent in the same batch. */
  keysOf?(call: Call): readonly string[]
}

const maxBatch = 200

export class Batches<Call, Answer> {
  readonly #how: BatchedCalls<Call, Answer>
  readonly #holdsFor: number
  #waiting: Waiting<Call, Answer>[] = []
  #isBusy = false

  /** `holdsFor` in milliseconds: a batch that takes longer does not delay the next. */
  constructor(calls: BatchedCalls<Call, Answer>, holdsFor: number) {
    this.#how = calls
    this.#holdsFor = holdsFor
  }

  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    this.#isBusy = true
    setImmediate(() => {
      void isOver(this.#send(this.#take()), this.#holdsFor).finally(() => {
        this.#isBusy = false
        this.#schedule()
      })
    })
  }

  #take(): readonly Waiting<Call, Answer>[] {
    const { keysOf } = this.#how
    if (keysOf === undefined) return this.#waiting.splice(0, maxBatch)
    const takenKeys = new Set<string>()
    const batch: Waiting<Call, Answer>[] = []
    this.#waiting = this.#waiting.filter((waiting) => {
      const keys = keysOf(waiting.call)
      if (batch.length === maxBatch || keys.some((key) => takenKeys.has(key))) return true
      for (const key of keys) takenKeys.add(key)
      batch.push(waiting)
      return false
    })
    return batch
  }

  async #send(batch: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#how.together(batch.map(({ call }) => call))
      batch.forEach(({ call, resolve }, i) => resolve(answers[i] ?? this.#how.alone(call)))
    } catch (error) {
      for (const { call, resolve, reject } of batch) {
        if (error instanceof StoreUnavailable) reject(error)
        // Perhaps one of the calls caused the failure, so each is repeated alone.
        else resolve(this.#how.alone(call))
      }
    }
  }
}
