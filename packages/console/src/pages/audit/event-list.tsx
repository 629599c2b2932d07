/** The log: of everything, or of a person or a client; an event opens as JSON. */
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import type { ListQuery } from '../../api/lists.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { audit } from '../../messages/people.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { AccessFilters } from '../people/access-filters.tsx'
import { About, Actor } from './about.tsx'
import { EventDialog } from './event-dialog.tsx'
import { eventNamesLike } from './event-names.ts'

type Event = Schemas['Events']

/** The log is asked for whole names. */
function askedOf({ name, ...others }: Readonly<Record<string, string>>): ListQuery | null {
  if (name === undefined) return others
  const names = eventNamesLike(name)
  return names.length === 0 ? null : { ...others, 'name[in]': names.join(',') }
}

interface EventListProps {
  /** Whose log it is, where the page knows; then there are no filters. */
  readonly fixed?: ListQuery
}

/** New events are asked for this often while one follows. */
const followInterval = 2000

export function EventList({ fixed }: EventListProps) {
  const say = useSay()
  const [follows, setFollows] = useState(false)
  const [shown, setShown] = useState<Event | null>(null)
  const filters = fixed === undefined ? ['name', 'subject', 'client_id'] : []
  const list = useList('/v1/events', {
    filters,
    asked: askedOf,
    fixed: fixed ?? {},
    refetchInterval: follows ? followInterval : false,
  })
  const columns: readonly Column<Event>[] = [
    {
      title: say(audit.name),
      width: '26%',
      cell: (it) => (
        <button type="button" className="row-button mono clip" onClick={() => setShown(it)}>
          {it.name}
        </button>
      ),
    },
    { title: say(audit.at), cell: (it) => <Moment at={it.at} />, width: '14%' },
    { title: say(audit.actor), cell: (it) => <Actor of={it.actor} /> },
    { title: say(audit.about), cell: (it) => <About of={it} /> },
    {
      title: say(audit.reason),
      width: '20%',
      cell: (it) =>
        it.reason === undefined ? null : (
          <Badge tone="warning" title={it.reason}>
            {it.reason}
          </Badge>
        ),
    },
  ]
  return (
    <>
      <div className="toolbar">
        {fixed === undefined ? (
          <>
            <SearchFilter
              label={say(audit.byName)}
              value={list.filters['name'] ?? ''}
              onChange={(value) => list.setFilter('name', value)}
            />
            <AccessFilters list={list} />
          </>
        ) : null}
        <Button icon={follows ? 'pause' : 'play'} aria-pressed={follows} onClick={() => setFollows((on) => !on)}>
          {say(follows ? audit.following : audit.follow)}
        </Button>
      </div>
      <ListTable
        label={say(audit.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="audit" title={say(audit.none)} text={say(audit.noneText)} />}
      />
      <EventDialog event={shown} onClose={() => setShown(null)} />
    </>
  )
}
