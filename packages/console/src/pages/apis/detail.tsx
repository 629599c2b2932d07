/** One API: its settings, its scopes, what people read of them, and what it would say to a token. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { ButtonLink, Crumb, usePathParams } from '../../app/link.tsx'
import { apis, scopes } from '../../messages/apis.ts'
import { roles } from '../../messages/groups.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { RoleList } from '../roles/role-list.tsx'
import { ConsentWords } from '../scopes/consent-words.tsx'
import { ScopeList } from '../scopes/scope-list.tsx'
import { ApiSettings } from './settings.tsx'
import { TokenTest } from './token-test.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const { session } = useConsole()
  const result = useItem(['/v1/resources', id], (api) => api.GET('/v1/resources/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/apis">{say(apis.title)}</Crumb>
  const seesScopes = session.may('admin:scopes:read')
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader
            above={above}
            title={<span dir="auto">{item.value.name ?? id}</span>}
            text={<span className="mono">{id}</span>}
            actions={
              session.may('admin:scopes:write') ? (
                <ButtonLink to="/new-scope" search={{ resource: id }} icon="plus">
                  {say(scopes.create)}
                </ButtonLink>
              ) : undefined
            }
          />
          <Tabs
            to="/apis/$id"
            label={say(apis.one)}
            tabs={[
              { id: 'settings', title: say(apis.tabSettings), content: () => <ApiSettings key={id} item={item} /> },
              ...(seesScopes
                ? [
                    { id: 'scopes', title: say(apis.tabScopes), content: () => <ScopeList resource={id} /> },
                    {
                      id: 'consent',
                      title: say(apis.tabConsent),
                      content: () => <ConsentWords to="/apis/$id" resource={id} />,
                    },
                  ]
                : []),
              ...(session.may('admin:roles:read')
                ? [{ id: 'roles', title: say(roles.title), content: () => <RoleList resource={id} /> }]
                : []),
              { id: 'test', title: say(apis.tabTest), content: () => <TokenTest id={id} /> },
            ]}
          />
        </>
      )}
    </ItemPage>
  )
}
