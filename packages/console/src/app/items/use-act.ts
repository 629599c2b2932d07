/** Something that is done with a press: busy while it runs, a note when it is done or could not be. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminApi, isChangedMeanwhile } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useConsole } from '../console-context.ts'
import { failureText } from '../failure-text.ts'
import { dropDraft } from '../session/drafts.ts'
import { SignInNeeded } from '../session/session.ts'
import { useRefresh } from './use-item.ts'

export interface Act<A extends readonly unknown[]> {
  readonly busy: boolean
  /** True where it was done. */
  run(...input: A): Promise<boolean>
}

interface ActOptions {
  readonly done: string
  /** The lists that it changes. */
  readonly refresh?: readonly string[]
  /** The list of what it ends: read again where it is shown next, and not while the page of what is gone is there. */
  readonly ends?: string
  /** The form of what it ends: what was typed into it is about nothing any more. */
  readonly draft?: string
}

export function useAct<A extends readonly unknown[]>(
  act: (api: AdminApi, ...input: A) => Promise<unknown>,
  { done, refresh = [], ends, draft }: ActOptions,
): Act<A> {
  const { api, session } = useConsole()
  const say = useSay()
  const toasts = useToasts()
  const forget = useRefresh()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async run(...input) {
      session.askAgain()
      setBusy(true)
      try {
        await act(api, ...input)
        await forget(...refresh)
        if (draft !== undefined) dropDraft(draft)
        if (ends !== undefined) await queries.invalidateQueries({ queryKey: [ends], refetchType: 'none' })
        toasts.done(done)
        return true
      } catch (error) {
        if (isChangedMeanwhile(error)) {
          // Whoever looked, looked at another version: pressing again means the one that is there now.
          await queries.invalidateQueries()
          toasts.failed(say(frame.changedMeanwhile), say(frame.lookAgain))
        } else if (!(error instanceof SignInNeeded)) {
          // Else the dialog of the session says it already.
          toasts.failed(say(frame.failed), failureText(error, say))
          // It may have been refused because of what the page does not show yet.
          void forget(...refresh)
        }
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
