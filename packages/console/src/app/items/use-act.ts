/** Something that is done with a press: busy while it runs, a note when it is done or could not be. */
import { useState } from 'react'
import type { AdminApi } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useConsole } from '../console-context.ts'
import { failureText } from '../failure-text.ts'
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
  readonly refresh: readonly string[]
}

export function useAct<A extends readonly unknown[]>(
  act: (api: AdminApi, ...input: A) => Promise<unknown>,
  { done, refresh }: ActOptions,
): Act<A> {
  const { api } = useConsole()
  const say = useSay()
  const toasts = useToasts()
  const forget = useRefresh()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async run(...input) {
      setBusy(true)
      try {
        await act(api, ...input)
        await forget(...refresh)
        toasts.done(done)
        return true
      } catch (error) {
        // The dialog of the session says it already.
        if (!(error instanceof SignInNeeded)) toasts.failed(say(frame.failed), failureText(error, say))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
