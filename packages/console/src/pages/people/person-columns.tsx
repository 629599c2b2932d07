/** What is shown of a person wherever there are several. */
import type { Column } from '../../app/lists/list-table.tsx'
import { PageLink } from '../../app/link.tsx'
import { people } from '../../messages/people.ts'
import { Clip } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Person, PersonState, textOf } from './person.tsx'

export type { Person } from './person.tsx'

export function usePersonColumns(): readonly Column<Person>[] {
  const say = useSay()
  return [
    {
      title: say(people.username),
      width: '22%',
      cell: (it) => (
        <PageLink to="/people/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.username}</Clip>
        </PageLink>
      ),
    },
    { title: say(people.name), width: '20%', cell: (it) => <Clip>{textOf(it['name']) || '–'}</Clip> },
    { title: say(people.email), cell: (it) => <Clip>{textOf(it['email']) || '–'}</Clip> },
    { title: say(people.state), width: '12rem', cell: (it) => <PersonState person={it} /> },
  ]
}
