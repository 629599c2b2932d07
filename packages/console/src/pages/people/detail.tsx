/** One person: profile, sign-in, sessions, apps, activity. */
import type { Versioned } from '../../api/client.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { people } from '../../messages/people.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Person, PersonState, textOf } from './person.tsx'
import { PersonTabs } from './person-tabs.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const result = useItem(['/v1/users', id], (api) => api.GET('/v1/users/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/people">{say(people.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => <PersonDetail key={id} item={item} />}
    </ItemPage>
  )
}

function PersonDetail({ item }: { readonly item: Versioned<Person> }) {
  const say = useSay()
  const person = item.value
  return (
    <>
      <PageHeader
        above={<Crumb to="/people">{say(people.title)}</Crumb>}
        title={<span dir="auto">{textOf(person['name']) || person.username}</span>}
        text={
          <span className="row">
            <span dir="auto">{person.username}</span>
            <PersonState person={person} />
          </span>
        }
      />
      <PersonTabs item={item} />
    </>
  )
}
