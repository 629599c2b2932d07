/** The page of APIs and scopes: the APIs, every scope, and what people read of them. */
import type { Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { Tabs } from '../../app/items/tabs.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink, useSearchParams } from '../../app/link.tsx'
import { apis, scopes } from '../../messages/apis.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ConsentWords } from '../scopes/consent-words.tsx'
import { ScopeList } from '../scopes/scope-list.tsx'

export type Api = Schemas['Resources']

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const { tab } = useSearchParams()
  const ofScopes = tab === 'scopes'
  const create = ofScopes
    ? { to: '/new-scope', right: 'admin:scopes:write', words: scopes.create }
    : { to: '/new-api', right: 'admin:resources:write', words: apis.create }
  const tabs = [
    { id: 'apis', title: say(apis.tabApis), content: () => <ApiList /> },
    ...(session.may('admin:scopes:read')
      ? [
          { id: 'scopes', title: say(apis.tabScopes), content: () => <ScopeList /> },
          { id: 'consent', title: say(apis.tabConsent), content: () => <ConsentWords to="/apis" /> },
        ]
      : []),
  ]
  return (
    <>
      <PageHeader
        title={say(apis.title)}
        text={say(apis.text)}
        actions={
          session.may(create.right) ? (
            <ButtonLink to={create.to} kind="primary" icon="plus">
              {say(create.words)}
            </ButtonLink>
          ) : undefined
        }
      />
      <Tabs to="/apis" label={say(apis.title)} tabs={tabs} />
    </>
  )
}

function ApiList() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/resources', { filters: [] })
  const columns: readonly Column<Api>[] = [
    {
      title: say(apis.name),
      width: '30%',
      cell: (it) => (
        <PageLink to="/apis/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.name ?? it.identifier}</Clip>
        </PageLink>
      ),
    },
    { title: say(apis.identifier), cell: (it) => <Clip mono>{it.identifier}</Clip> },
    {
      title: say(apis.format),
      width: '18%',
      cell: (it) => <Badge>{say(it.token_format === 'jwt' ? apis.formatShortJwt : apis.formatShortOpaque)}</Badge>,
    },
    {
      title: say(apis.lifeShort),
      width: '18%',
      cell: (it) =>
        it.access_token_ttl === undefined ? (
          <span className="muted">{say(apis.lifeUsual)}</span>
        ) : (
          say(apis.lifeSeconds, { n: it.access_token_ttl })
        ),
    },
  ]
  return (
    <ListTable
      label={say(apis.title)}
      list={list}
      columns={columns}
      keyOf={(it) => it.id}
      empty={
        <Empty icon="api" title={say(apis.none)} text={say(apis.noneText)}>
          {session.may('admin:resources:write') ? (
            <ButtonLink to="/new-api" kind="primary" icon="plus">
              {say(apis.create)}
            </ButtonLink>
          ) : undefined}
        </Empty>
      }
    />
  )
}
