/** What there is to see of a person: each in a tab of its own, for who may see it. */
import type { Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { type Tab, Tabs } from '../../app/items/tabs.tsx'
import { held } from '../../messages/groups.ts'
import { people } from '../../messages/people.ts'
import { useSay } from '../../ui/preferences.tsx'
import { EventList } from '../audit/event-list.tsx'
import { GrantList } from '../grants/grant-list.tsx'
import { SessionList } from '../sessions/session-list.tsx'
import type { Person } from './person.tsx'
import { GroupsAndRoles } from './groups-and-roles.tsx'
import { Profile } from './profile.tsx'
import { SignIn } from './sign-in.tsx'

export function PersonTabs({ item }: { readonly item: Versioned<Person> }) {
  const say = useSay()
  const { session } = useConsole()
  const person = item.value
  const tab = (id: string, title: string, right: string, content: Tab['content']) =>
    session.may(right) ? [{ id, title, content }] : []
  return (
    <Tabs
      to="/people/$id"
      label={say(people.one)}
      tabs={[
        { id: 'profile', title: say(people.tabProfile), content: () => <Profile item={item} /> },
        { id: 'sign-in', title: say(people.tabSignIn), content: () => <SignIn person={person} /> },
        ...tab('groups', say(held.title), 'admin:roles:read', () => <GroupsAndRoles item={item} />),
        ...tab('sessions', say(people.tabSessions), 'admin:sessions:read', () => <SessionList subject={person.id} />),
        ...tab('apps', say(people.tabApps), 'admin:grants:read', () => <GrantList fixed={{ subject: person.id }} />),
        ...tab('activity', say(people.tabActivity), 'admin:events:read', () => (
          <EventList fixed={{ subject: person.id }} />
        )),
      ]}
    />
  )
}
