/** One role: what it bundles, who has it, and its end. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { type Tab, Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, PageLink, usePathParams } from '../../app/link.tsx'
import { roles } from '../../messages/groups.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { GroupsWith, PeopleWith } from './holders.tsx'
import { RoleSettings } from './settings.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const { session } = useConsole()
  const result = useItem(['/v1/roles', id], (api) => api.GET('/v1/roles/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/roles">{say(roles.title)}</Crumb>
  const tab = (tabId: string, title: string, right: string, content: Tab['content']) =>
    session.may(right) ? [{ id: tabId, title, content }] : []
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader
            above={above}
            title={<span className="mono">{id}</span>}
            text={
              <PageLink to="/apis/$id" params={{ id: item.value.resource }}>
                {item.value.resource}
              </PageLink>
            }
          />
          <Tabs
            to="/roles/$id"
            label={say(roles.one)}
            tabs={[
              { id: 'settings', title: say(roles.tabSettings), content: () => <RoleSettings key={id} item={item} /> },
              ...tab('groups', say(roles.tabGroups), 'admin:groups:read', () => <GroupsWith role={id} />),
              ...tab('people', say(roles.tabPeople), 'admin:users:read', () => <PeopleWith role={id} />),
            ]}
          />
        </>
      )}
    </ItemPage>
  )
}
