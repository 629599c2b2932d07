/** The page of grants. */
import { access } from '../../messages/people.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { GrantList } from './grant-list.tsx'

export function Page() {
  const say = useSay()
  return (
    <>
      <PageHeader title={say(access.grants)} text={say(access.grantsText)} />
      <GrantList />
    </>
  )
}
