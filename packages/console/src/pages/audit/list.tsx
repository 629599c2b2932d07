/** The page of the log. */
import { Tabs } from '../../app/items/tabs.tsx'
import { audit } from '../../messages/people.ts'
import { receipts } from '../../messages/receipts.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { RevocationList } from './revocation-list.tsx'
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
      <Tabs
        to="/audit"
        label={say(audit.title)}
        tabs={[
          { id: 'events', title: say(receipts.tabEvents), content: () => <EventList /> },
          { id: 'revocations', title: say(receipts.title), content: () => <RevocationList /> },
        ]}
      />
    </>
  )
}
