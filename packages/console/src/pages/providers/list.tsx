/** The providers that people may sign in by. */
import { useConsole } from '../../app/console-context.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { providers } from '../../messages/providers.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { kindName, type Provider } from './editable-provider.ts'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/providers', { filters: [] })
  const create = session.may('admin:providers:write') ? (
    <ButtonLink to="/new-provider" kind="primary" icon="plus">
      {say(providers.create)}
    </ButtonLink>
  ) : undefined
  const columns: readonly Column<Provider>[] = [
    {
      title: say(providers.name),
      width: '26%',
      cell: (it) => (
        <PageLink to="/providers/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.name ?? it.id}</Clip>
        </PageLink>
      ),
    },
    { title: say(providers.kind), width: '18%', cell: (it) => <Clip>{kindName(it.kind)}</Clip> },
    { title: say(providers.issuer), cell: (it) => <Clip mono>{it.issuer ?? '–'}</Clip> },
    { title: say(providers.domains), width: '16%', cell: (it) => <Clip>{it.domains?.join(', ') ?? '–'}</Clip> },
    {
      title: '',
      width: '8rem',
      cell: (it) => (it.disabled === true ? <Badge tone="warning">{say(providers.disabled)}</Badge> : null),
    },
  ]
  return (
    <>
      <PageHeader title={say(providers.title)} text={say(providers.text)} actions={create} />
      <ListTable
        label={say(providers.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="out" title={say(providers.none)} text={say(providers.noneText)}>
            {create}
          </Empty>
        }
      />
    </>
  )
}
