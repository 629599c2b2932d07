/** Runs the waiting verbs as one transaction: a savepoint for each verb, one fsync for all of them. */
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

/**
 * A savepoint that is created when a verb first changes something: most tokens only check their basis, and write to the
 * log.
 */
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

/** The second up to which a cutoff in the open group ends tokens. */
interface CutSecond {
  /** When that second ends, by the monotonic clock of calls. */
  readonly endsAt: number
  /** The offset from the monotonic clock to the time of day. */
  readonly clockOffset: number
}

/** Milliseconds: longer than any decision takes. Without a limit, a clock set back would make every token late. */
const longestDecision = 60_000

export class GroupWriter {
  readonly #path: string
  readonly #auditKey: Uint8Array
  readonly #connect: typeof connect
  #open: OpenFile | null = null
  /** Of the cut-off seconds in the open group, the one that ends first. */
  #firstCutSecond: CutSecond | null = null
  /**
   * Set when a group with a cutoff was committed after its second had ended: the time of day when the cutoff became
   * visible, and until when (monotonic) calls are checked against it. A token that was decided on before that did not
   * know of the cutoff, and names a later second that the cutoff does not end; so it must be decided again.
   */
  #lateCutoff = { visibleAt: -Infinity, checkedUntil: -Infinity }

  constructor(path: string, auditKey: Uint8Array, open: typeof connect = connect) {
    this.#path = path
    this.#auditKey = auditKey
    this.#connect = open
  }

  run(calls: readonly VerbCall[]): GroupAnswers {
    try {
      // The file stays open, so that writing continues as soon as the files are back in place.
      const problem = this.#open?.inPlace?.problem ?? null
      return problem === null ? this.#commit(calls) : allFailed(calls, { outage: true, message: problem })
    } catch (error) {
      // The whole group failed and was rolled back. The next group opens the file again, without any cached state.
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
    this.#firstCutSecond = null
    const values = calls.map((call, index) => {
      try {
        return this.#runCall(call)
      } catch (error) {
        // An outage may have ended the transaction of the whole group: then all of its calls fail.
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
    const cut = this.#firstCutSecond as CutSecond | null
    // The disk was slow, and the cutoff was not visible before this moment.
    if (cut !== null && now > cut.endsAt)
      this.#lateCutoff = { visibleAt: now + cut.clockOffset, checkedUntil: now + longestDecision }
    return { values, failures, sealed }
  }

  #runCall(call: VerbCall): unknown {
    if (this.#missedLateCutoff(call)) return 'stale'
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
        log.rollbackTo(mark)
      }
      throw error
    }
  }

  #missedLateCutoff({ name, args, calledAt }: VerbCall): boolean {
    const { visibleAt, checkedUntil } = this.#lateCutoff
    return name === 'tokens.issue' && calledAt < checkedUntil && (args[0] as Issuance).at < visibleAt
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
          log.rollbackTo(mark)
          step = verb.next([])
      }
    }
    return step.value
  }

  #noteCutoffs({ entries, asked }: LogStep, calledAt: number): void {
    for (const [n, { at, cutoff }] of entries.entries()) {
      const timeOfCall = asked[n]?.at ?? at
      const endsAt = calledAt + (Math.floor(at / 1000) + 1) * 1000 - timeOfCall
      if (cutoff !== undefined && endsAt < (this.#firstCutSecond?.endsAt ?? Infinity))
        this.#firstCutSecond = { endsAt, clockOffset: timeOfCall - calledAt }
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

  /** Closing rolls back an open transaction. */
  close(): void {
    const open = this.#open
    this.#open = null
    try {
      open?.file.close()
    } catch {
      // A connection that cannot even be closed is abandoned; the next group opens another.
    }
  }
}

const allFailed = (calls: readonly VerbCall[], why: Omit<CallFailure, 'index'>): GroupAnswers => ({
  values: [],
  failures: calls.map((_, index) => ({ index, ...why })),
  sealed: 0,
})
