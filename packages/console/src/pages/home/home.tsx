/** The start page. */
import { home } from '../../messages/home.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export function Page() {
  const say = useSay()
  return <PageHeader title={say(home.title)} />
}
