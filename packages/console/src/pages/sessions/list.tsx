/** The page of sessions. */
import { access } from '../../messages/people.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { SessionList } from './session-list.tsx'

export function Page() {
  const say = useSay()
  return (
    <>
      <PageHeader title={say(access.sessions)} text={say(access.sessionsText)} />
      <SessionList />
    </>
  )
}
