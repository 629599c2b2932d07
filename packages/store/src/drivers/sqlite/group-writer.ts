/** Runs what is waiting as one transaction: a savepoint for each verb, one fsync for all of them. */
import { StoreUnavailable } from '../../contract/store.ts'
import { verbOf, verbs } from '../../verbs/index.ts'
import type { Issuance } from '../../verbs/tokens/tokens.ts'
import type { LogStep } from '../../verbs/verb.ts'
import { BasisCache } from './basis-cache.ts'
import { connect, type Connection, isOutage } from './connection.ts'
import { FilesInPlace } from './files-in-place.ts'
import { GroupLog } from './group-log.ts'
import { type CallFailure, type GroupAnswers, monotonicNow, type VerbCall } from './worker-message.ts'
import { WriterMemory } from './writer-memory.ts'

/** A savepoint that is made when a verb first changes something: most tokens only check their basis, and log. */
class LazySavepoint {
  readonly #file: Connection
  #made = false

  constructor(file: Connection) {
    this.#file = file
  }

  beforeChange(): void {
    if (this.#made) return
    this.#file.prepare('savepoint verb').run()
    this.#made = true
  }

  rollback(): void {
    if (this.#made) this.#file.prepare('rollback to verb').run()
  }

  release(): void {
    if (this.#made) this.#file.prepare('release verb').run()
  }
}

interface OpenFile {
  readonly file: Connection
  readonly log: GroupLog
  readonly bases: BasisCache
  /** Null before the first transaction. */
  inPlace: FilesInPlace | null
}

interface CutSecond {
  readonly over: number
  readonly ahead: number
}

/** Milliseconds: longer than anybody decides. A clock that was set back since must not make all that comes old. */
const longestDecision = 60_000

export class GroupWriter {
  readonly #path: string
  readonly #auditKey: Uint8Array
  readonly #connect: typeof connect
  #open: OpenFile | null = null
  /** Of those that this group cuts off, which second ends first: by the clock of calls, and what the time is ahead of that. */
  #firstEnd: CutSecond | null = null
  /** A token that was decided on before had not seen what such a group changed, and its second is not cut off. */
  #shown = { at: -Infinity, until: -Infinity }

  constructor(path: string, auditKey: Uint8Array, open: typeof connect = connect) {
    this.#path = path
    this.#auditKey = auditKey
    this.#connect = open
  }

  run(calls: readonly VerbCall[]): GroupAnswers {
    try {
      // What is open stays so: it goes on when the files are put back.
      const problem = this.#open?.inPlace?.problem ?? null
      return problem === null ? this.#commit(calls) : allFailed(calls, { outage: true, message: problem })
    } catch (error) {
      // The whole group failed, so none of it happened. Begin again from the file: nothing remembered is trusted.
      this.close()
      const message = error instanceof Error ? error.message : String(error)
      return allFailed(calls, { outage: isOutage(error), message })
    }
  }

  #commit(calls: readonly VerbCall[]): GroupAnswers {
    const open = this.#opened()
    const { file, log } = open
    const failures: CallFailure[] = []
    file.prepare('begin immediate').run()
    open.inPlace ??= new FilesInPlace(this.#path)
    log.begin()
    this.#firstEnd = null
    const values = calls.map((call, index) => {
      try {
        return this.#one(call)
      } catch (error) {
        // An outage may have ended the transaction under us; it is everybody's.
        if (isOutage(error) || !file.db.isTransaction) throw error
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
        failures.push({ index, outage: error instanceof StoreUnavailable, message })
        return null
      }
    })
    const sealed = log.seal()
    file.prepare('commit').run()
    log.commit()
    const now = monotonicNow()
    const first = this.#firstEnd as CutSecond | null
    // Nobody saw the change before, and the disk took its time.
    if (first !== null && now > first.over) this.#shown = { at: now + first.ahead, until: now + longestDecision }
    return { values, failures, sealed }
  }

  #one(call: VerbCall): unknown {
    if (this.#isOutrun(call)) return 'stale'
    const { file, log, bases } = this.#opened()
    const mark = log.mark()
    const savepoint = new LazySavepoint(file)
    try {
      const answer = this.#drive(call, mark, savepoint)
      savepoint.release()
      return answer
    } catch (error) {
      if (file.db.isTransaction) {
        savepoint.rollback()
        savepoint.release()
        bases.forget()
        log.back(mark)
      }
      throw error
    }
  }

  #isOutrun({ name, args, calledAt }: VerbCall): boolean {
    return name === 'tokens.issue' && calledAt < this.#shown.until && (args[0] as Issuance).at < this.#shown.at
  }

  #drive({ name, args, breakAt, calledAt }: VerbCall, mark: number, savepoint: LazySavepoint): unknown {
    const { file, log, bases } = this.#opened()
    const verb = verbOf(name, args)
    let step = verb.next()
    for (let n = 0; step.done !== true; n += 1) {
      if (n === breakAt) throw new Error(`broken at step ${n}, as asked`)
      switch (step.value.do) {
        case 'sql':
          if (!step.value.text.startsWith('select')) {
            savepoint.beforeChange()
            if (verbs[name].touches === 'directory') bases.forget()
            else if (file.changesDirectory(step.value.text))
              throw new Error(`${name} does not declare that it touches the directory`)
          }
          step = verb.next(file.all(step.value))
          break
        case 'check-basis':
          step = verb.next(bases.check(step.value))
          break
        case 'log':
          this.#noteCutoffs(step.value, calledAt)
          log.append(step.value.entries)
          step = verb.next([])
          break
        case 'delay':
          step = verb.next([{ milliseconds: monotonicNow() - calledAt }])
          break
        case 'undo':
          savepoint.rollback()
          bases.forget()
          log.back(mark)
          step = verb.next([])
      }
    }
    return step.value
  }

  #noteCutoffs({ entries, asked }: LogStep, calledAt: number): void {
    for (const [n, { at, cutoff }] of entries.entries()) {
      // When it was called it was this late.
      const time = asked[n]?.at ?? at
      const over = calledAt + (Math.floor(at / 1000) + 1) * 1000 - time
      if (cutoff !== undefined && over < (this.#firstEnd?.over ?? Infinity))
        this.#firstEnd = { over, ahead: time - calledAt }
    }
  }

  #opened(): OpenFile {
    if (this.#open === null) {
      const file = this.#connect(this.#path, 'write')
      const memory = new WriterMemory()
      const [log, bases] = [new GroupLog(file, this.#auditKey, memory), new BasisCache(file, memory)]
      this.#open = { file, log, bases, inPlace: null }
    }
    return this.#open
  }

  /** Closing rolls back what is open. */
  close(): void {
    const open = this.#open
    this.#open = null
    try {
      open?.file.close()
    } catch {
      // A connection that cannot even be closed is left behind; the next group opens another.
    }
  }
}

const allFailed = (calls: readonly VerbCall[], why: Omit<CallFailure, 'index'>): GroupAnswers => ({
  values: [],
  failures: calls.map((_, index) => ({ index, ...why })),
  sealed: 0,
})
