/** A page with its title and its right: who may not see it is told so, and by whom that could change. */
import type { ReactNode } from 'react'
import { frame } from '../../messages/frame.ts'
import { Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import type { PageRow } from '../page-row.ts'
import { isReachable } from './is-reachable.ts'
import { usePageTitle } from './use-page-title.ts'

export function GuardedPage({ page, children }: { readonly page: PageRow; readonly children: ReactNode }) {
  const console = useConsole()
  const say = useSay()
  usePageTitle(page.title)
  return isReachable(page, console) ? (
    children
  ) : (
    <Empty whole icon="lock" title={say(frame.notAllowed)} text={say(frame.notAllowedText)} />
  )
}
