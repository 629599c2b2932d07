/** Calls that arrive together are sent together; what comes while two such batches are in flight makes the next one. */
import { StoreUnavailable } from '../../contract/store.ts'

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly resolve: (answer: Answer | Promise<Answer>) => void
  readonly reject: (error: unknown) => void
}

export interface BatchedCalls<Call, Answer> {
  /** All of them, in their order. */
  together(calls: readonly Call[]): Promise<readonly Answer[]>
  alone(call: Call): Promise<Answer>
}

const maxBatch = 200
const maxInFlight = 2

export class Batches<Call, Answer> {
  readonly #how: BatchedCalls<Call, Answer>
  #waiting: Waiting<Call, Answer>[] = []
  #inFlight = 0
  #scheduled = false

  constructor(how: BatchedCalls<Call, Answer>) {
    this.#how = how
  }

  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= maxInFlight || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const batch = this.#waiting.splice(0, maxBatch)
      this.#inFlight += 1
      void this.#send(batch).finally(() => {
        this.#inFlight -= 1
        this.#schedule()
      })
      this.#schedule()
    })
  }

  async #send(batch: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#how.together(batch.map(({ call }) => call))
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
    } catch (error) {
      for (const { call, resolve, reject } of batch) {
        if (error instanceof StoreUnavailable) reject(error)
        // Because of one of them, perhaps: each by itself.
        else resolve(this.#how.alone(call))
      }
    }
  }
}
