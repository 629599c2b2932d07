/** The page of the log. */
import { audit } from '../../messages/people.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { EventList } from './event-list.tsx'
import { ExportLog } from './export-log.tsx'
import { VerifyLog } from './verify-log.tsx'

export function Page() {
  const say = useSay()
  return (
    <>
      <PageHeader
        title={say(audit.title)}
        text={say(audit.text)}
        actions={
          <>
            <VerifyLog />
            <ExportLog />
          </>
        }
      />
      <EventList />
    </>
  )
}
