/** What was revoked, each with its receipt. */
import type { Receipt } from '../../api/receipts.ts'
import { receiptSentence } from '../../app/receipts/sentence.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { audit } from '../../messages/people.ts'
import { receipts } from '../../messages/receipts.ts'
import { Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { AccessFilters } from '../people/access-filters.tsx'
import { AboutBoth } from './about.tsx'

const filters = ['subject', 'client_id'] as const

/** While somebody is waited for. */
const lookAgain = 2000

export function RevocationList() {
  const say = useSay()
  const { language } = usePreferences()
  const list = useList('/v1/revocations', { filters, refetchInterval: lookAgain })
  const columns: readonly Column<Receipt>[] = [
    { title: say(receipts.what), width: '20%', cell: (it) => <span className="mono clip">{it.name}</span> },
    { title: say(audit.at), width: '14%', cell: (it) => <Moment at={it.at} /> },
    { title: say(audit.about), width: '22%', cell: (it) => <AboutBoth of={it} /> },
    { title: say(receipts.receipt), cell: (it) => receiptSentence(it, say, language) },
  ]
  return (
    <>
      <div className="toolbar">
        <AccessFilters list={list} />
      </div>
      <ListTable
        label={say(receipts.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="audit" title={say(receipts.none)} text={say(receipts.noneText)} />}
      />
    </>
  )
}
