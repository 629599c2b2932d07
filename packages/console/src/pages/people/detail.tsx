/** One person: profile, sign-in, sessions, apps, activity. */
import type { Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { type Tab, Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { people } from '../../messages/people.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { EventList } from '../audit/event-list.tsx'
import { GrantList } from '../grants/grant-list.tsx'
import { SessionList } from '../sessions/session-list.tsx'
import { type Person, PersonState, textOf } from './list.tsx'
import { Profile } from './profile.tsx'
import { SignIn } from './sign-in.tsx'

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
  const { session } = useConsole()
  const person = item.value
  const tab = (id: string, title: string, right: string, content: Tab['content']) =>
    session.may(right) ? [{ id, title, content }] : []
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
      <Tabs
        to="/people/$id"
        label={say(people.one)}
        tabs={[
          { id: 'profile', title: say(people.tabProfile), content: () => <Profile item={item} /> },
          { id: 'sign-in', title: say(people.tabSignIn), content: () => <SignIn person={person} /> },
          ...tab('sessions', say(people.tabSessions), 'admin:sessions:read', () => <SessionList subject={person.id} />),
          ...tab('apps', say(people.tabApps), 'admin:grants:read', () => <GrantList fixed={{ subject: person.id }} />),
          ...tab('activity', say(people.tabActivity), 'admin:events:read', () => (
            <EventList fixed={{ subject: person.id }} />
          )),
        ]}
      />
    </>
  )
}
