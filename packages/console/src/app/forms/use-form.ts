/** A form: what is typed, what is wrong with it, and sending it. What is typed outlives a sign-in in between. */
import { useEffect, useRef, useState } from 'react'
import { ApiProblem, faultsByField } from '../../api/problem.ts'
import { isEqual } from '../../api/merge.ts'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import { failureText } from '../failure-text.ts'
import { type Draft, dropDraft, keepDraft, restoredDraft } from '../session/drafts.ts'
import { SignInNeeded } from '../session/session.ts'
import { begun, begunAgain, draftOf, type FormState, type NextBase } from './form-state.ts'

export interface Form<T extends object> extends Pick<
  FormState<T>,
  'base' | 'version' | 'values' | 'busy' | 'restored' | 'lacksSecrets'
> {
  /** Whether anything is typed that `base` does not have. */
  readonly changed: boolean
  /** What is wrong and about no field that the form has. */
  readonly fault: string | undefined
  set(change: Partial<T>): void
  faultOf(field: string): string | undefined
  /** True where it was done. */
  submit(send: (values: T) => Promise<unknown>): Promise<boolean>
  /** Something is wrong that the page sees itself, before anything is sent. */
  refuse(): void
  /** Begins again with what the server has now. */
  reset(next: NextBase<T>): void
}

interface FormOptions<T> {
  /** One name for each thing that is edited: what was typed is found again by it. */
  readonly name: string
  readonly initial: T
  /** Of what is edited: which version `initial` is. */
  readonly version?: string | null
  /** Fields that can show their own faults; everything else is said above the buttons. */
  readonly fields: readonly string[] | ((values: T) => readonly string[])
  /** Members that are kept nowhere. */
  readonly secrets?: readonly (keyof T & string)[]
  /** Where what was typed is found again. */
  readonly draft?: (name: string) => Draft<T> | undefined
}

export function useForm<T extends object>(options: FormOptions<T>): Form<T> {
  const { name, initial, version = null, fields, secrets = [], draft = restoredDraft<T> } = options
  const say = useSay()
  const { session } = useConsole()
  const [state, setState] = useState<FormState<T>>(() => begun(initial, version, draft(name)))
  // What is sent and what is kept goes by what is there, and not by what was drawn last.
  const now = useRef(state)
  const become = (next: Partial<FormState<T>>): void => setState((now.current = { ...now.current, ...next }))
  const keep = (): void => {
    const kept = draftOf(now.current, secrets)
    if (kept === null) dropDraft(name)
    else keepDraft(name, kept)
  }
  const { base, values, faults, refusals } = state
  useEffect(() => {
    if (refusals > 0) showFirstFault()
  }, [refusals])
  const own = typeof fields === 'function' ? fields(values) : fields
  const others = [...faults].filter(([field]) => !own.includes(field)).map(([field, text]) => named(field, text))
  return {
    ...state,
    changed: !isEqual(base, values),
    fault: others.length === 0 ? undefined : others.join(' '),
    faultOf: (field) => faults.get(field),
    set(change) {
      const left = [...now.current.faults].filter(([field]) => !Object.hasOwn(change, field))
      become({ values: { ...now.current.values, ...change }, faults: new Map(left) })
      keep()
    },
    async submit(send) {
      if (now.current.busy) return false
      session.askAgain()
      become({ busy: true, faults: new Map() })
      const sent = now.current
      try {
        await send(sent.values)
        // One that began again has seen to its draft.
        if (now.current.base === sent.base) dropDraft(name)
        become({ busy: false, restored: false })
        return true
      } catch (error) {
        become({ busy: false, faults: faultsOf(error, say), refusals: now.current.refusals + 1 })
        return false
      }
    },
    refuse: () => become({ refusals: now.current.refusals + 1 }),
    reset(next) {
      become(begunAgain(now.current, next))
      keep()
    },
  }
}

/** The field may be far above the button that was pressed. */
function showFirstFault(): void {
  const field = document.querySelector<HTMLElement>('.dialog [aria-invalid=true], main [aria-invalid=true]')
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'center' })
}

const named = (field: string, text: string): string => (field === '' ? text : `${field}: ${text}`)

export function faultsOf(error: unknown, say: Say): ReadonlyMap<string, string> {
  // The dialog of the session says it already.
  if (error instanceof SignInNeeded) return new Map()
  if (!(error instanceof ApiProblem)) return new Map([['', failureText(error, say)]])
  const faults = faultsByField(error)
  return faults.size === 0 ? new Map([['', error.message]]) : faults
}
