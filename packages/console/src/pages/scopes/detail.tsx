/** One scope, to be changed; those of the issuer itself are only read. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { ItemPage } from '../../app/items/item-page.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, useGo, usePathParams, type Way } from '../../app/link.tsx'
import { apis, scopes } from '../../messages/apis.ts'
import { Notice, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { editableScope, type EditableScope, scopeBody, scopeFieldNames, ScopeFields } from './scope-fields.tsx'
import type { Scope } from './scope-list.tsx'

/** The list that a scope is found in: that of its API, where it has one. */
const homeOf = (resource: string | undefined): Way =>
  resource === undefined
    ? { to: '/apis', search: { tab: 'scopes' } }
    : { to: '/apis/$id', params: { id: resource }, search: { tab: 'scopes' } }

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const result = useItem(['/v1/scopes', id], (api) => api.GET('/v1/scopes/{id}', { params: { path: { id } } }))
  const resource = result.data?.value.resource
  const above = <Crumb {...homeOf(resource)}>{resource ?? say(apis.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader above={above} title={<span className="mono">{item.value.name}</span>} />
          <ScopeSettings key={id} item={item} />
        </>
      )}
    </ItemPage>
  )
}

function ScopeSettings({ item }: { readonly item: Versioned<Scope> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id: item.value.id }
  const edit = useEdit<Scope, EditableScope>({
    name: `scope/${path.id}`,
    list: '/v1/scopes',
    item,
    editable: editableScope,
    fields: scopeFieldNames,
    read: () => versioned(api.GET('/v1/scopes/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/scopes/{id}', {
          params: { path },
          body: scopeBody(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const labels = {
    description: say(scopes.description),
    resource: say(scopes.resource),
    sensitivity: say(scopes.sensitivity),
    optional: say(scopes.optional),
  }
  const mayWrite = session.may('admin:scopes:write') && !item.value.built_in
  return (
    <div className="stack">
      {item.value.built_in ? <Notice>{say(scopes.builtInText)}</Notice> : null}
      <EditForm edit={edit} labels={labels} title={say(scopes.one)} readOnly={!mayWrite}>
        <ScopeFields form={edit.form} />
      </EditForm>
      {mayWrite ? <RemoveScope item={item} /> : null}
    </div>
  )
}

function RemoveScope({ item: { value, etag } }: { readonly item: Versioned<Scope> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/scopes/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(scopes.removed), ends: '/v1/scopes', draft: `scope/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(scopes.remove)}
        title={say(scopes.removeTitle, { name: value.name })}
        text={say(scopes.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go(homeOf(value.resource))
          return done
        }}
      />
    </div>
  )
}
