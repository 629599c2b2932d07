/** What the window is called while a page is shown. */
import { useEffect } from 'react'
import { frame } from '../../messages/frame.ts'
import type { Words } from '../../messages/words.ts'
import { useSay } from '../../ui/preferences.tsx'

export function usePageTitle(title: Words): void {
  const say = useSay()
  useEffect(() => {
    document.title = say(frame.titleOf, { page: say(title) })
  }, [title, say])
}
