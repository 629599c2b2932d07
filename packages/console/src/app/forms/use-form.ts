/** A form: what is typed, what is wrong with it, and sending it. What is typed outlives a sign-in in between. */
import { useEffect, useState } from 'react'
import { ApiProblem, faultsByField } from '../../api/problem.ts'
import { isEqual } from '../../api/merge.ts'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { failureText } from '../failure-text.ts'
import { dropDraft, keepDraft, restoredDraft } from '../session/drafts.ts'
import { SignInNeeded } from '../session/session.ts'

export interface Form<T extends object> {
  readonly values: T
  /** As it began: what a change is compared with. */
  readonly base: T
  readonly changed: boolean
  readonly restored: boolean
  readonly busy: boolean
  /** What is wrong and about no field that the form has. */
  readonly fault: string | undefined
  set(change: Partial<T>): void
  faultOf(field: string): string | undefined
  /** True where it was done. */
  submit(send: (values: T) => Promise<unknown>): Promise<boolean>
  /** Something is wrong that the page sees itself, before anything is sent. */
  refuse(): void
  /** Begins again with what the server has now. */
  reset(base: T, values?: T): void
}

interface FormOptions<T> {
  /** One name for each thing that is edited: what was typed is found again by it. */
  readonly name: string
  readonly initial: T
  /** Fields that can show their own faults; everything else is said above the buttons. */
  readonly fields: readonly string[]
}

interface FormState<T> {
  readonly base: T
  readonly values: T
  readonly faults: ReadonlyMap<string, string>
  readonly busy: boolean
  readonly restored: boolean
  /** How often it was refused. */
  readonly refusals: number
}

export function useForm<T extends object>({ name, initial, fields }: FormOptions<T>): Form<T> {
  const say = useSay()
  const [state, setState] = useState<FormState<T>>(() => {
    const draft = restoredDraft(name) as Partial<T> | undefined
    return {
      base: initial,
      values: { ...initial, ...draft },
      faults: new Map(),
      busy: false,
      restored: draft !== undefined,
      refusals: 0,
    }
  })
  const { base, values, faults, busy, restored, refusals } = state
  useEffect(() => {
    if (refusals > 0) showFirstFault()
  }, [refusals])
  const others = [...faults].filter(([field]) => !fields.includes(field)).map(([field, text]) => named(field, text))
  return {
    base,
    values,
    busy,
    restored,
    changed: !isEqual(base, values),
    fault: others.length === 0 ? undefined : others.join(' '),
    faultOf: (field) => faults.get(field),
    set(change) {
      setState((before) => {
        const next = { ...before.values, ...change }
        keepDraft(name, next)
        const left = new Map([...before.faults].filter(([field]) => !Object.hasOwn(change, field)))
        return { ...before, values: next, faults: left }
      })
    },
    async submit(send) {
      if (busy) return false
      setState((before) => ({ ...before, busy: true, faults: new Map() }))
      try {
        await send(values)
        dropDraft(name)
        setState((before) => ({ ...before, busy: false, restored: false }))
        return true
      } catch (error) {
        setState((before) => ({ ...before, busy: false, faults: faultsOf(error, say), refusals: before.refusals + 1 }))
        return false
      }
    },
    refuse: () => setState((before) => ({ ...before, refusals: before.refusals + 1 })),
    reset(next, typed = next) {
      dropDraft(name)
      if (typed !== next) keepDraft(name, typed)
      setState({ base: next, values: typed, faults: new Map(), busy: false, restored: false, refusals: 0 })
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
