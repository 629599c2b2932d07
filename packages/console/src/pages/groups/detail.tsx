/** One group: its settings and roles, who is in it, and its end. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { groups } from '../../messages/groups.ts'
import { PageHeader } from '../../ui/content.tsx'
import { given } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { Members } from './members.tsx'
import { GroupSettings } from './settings.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const { session } = useConsole()
  const result = useItem(['/v1/groups', id], (api) => api.GET('/v1/groups/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/groups">{say(groups.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader
            above={above}
            title={<span dir="auto">{item.value.name}</span>}
            {...given({ text: item.value.description })}
          />
          <Tabs
            to="/groups/$id"
            label={say(groups.one)}
            tabs={[
              { id: 'settings', title: say(groups.tabSettings), content: () => <GroupSettings key={id} item={item} /> },
              ...(session.may('admin:users:read')
                ? [{ id: 'members', title: say(groups.tabMembers), content: () => <Members group={item.value} /> }]
                : []),
            ]}
          />
        </>
      )}
    </ItemPage>
  )
}
