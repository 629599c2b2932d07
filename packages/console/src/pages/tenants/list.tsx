/** The list of tenants: issuers under this server. */
import type { Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { tenants } from '../../messages/tenants.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Tenant = Schemas['Tenants']

/** The deployment itself, as the admin API names it. */
export const firstTenant = 'default'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/tenants', { filters: [] })
  const create = session.may('admin:tenants:write') ? (
    <ButtonLink to="/new-tenant" kind="primary" icon="plus">
      {say(tenants.create)}
    </ButtonLink>
  ) : undefined
  const columns: readonly Column<Tenant>[] = [
    {
      title: say(tenants.name),
      width: '26%',
      cell: (it) => (
        <PageLink to="/tenants/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.name}</Clip>
        </PageLink>
      ),
    },
    { title: say(tenants.id), width: '14%', cell: (it) => <Clip mono>{it.id}</Clip> },
    { title: say(tenants.issuer), cell: (it) => <Clip mono>{it.issuer}</Clip> },
    { title: say(tenants.profile), width: '12%', cell: (it) => <Clip>{it.profile ?? '–'}</Clip> },
    { title: say(tenants.state), width: '12%', cell: (it) => <TenantState tenant={it} /> },
  ]
  return (
    <>
      <PageHeader title={say(tenants.title)} text={say(tenants.text)} actions={create} />
      <ListTable
        label={say(tenants.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="tenant" title={say(tenants.none)} text={say(tenants.noneText)}>
            {create}
          </Empty>
        }
      />
    </>
  )
}

export function TenantState({ tenant }: { readonly tenant: Tenant }) {
  const say = useSay()
  return (
    <Badge tone={tenant.disabled ? 'danger' : 'done'}>{say(tenant.disabled ? tenants.disabled : tenants.active)}</Badge>
  )
}
