/** The settings of an API, to be changed, and its end. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { apis, decisions } from '../../messages/apis.ts'
import { roles } from '../../messages/groups.ts'
import { Copyable } from '../../ui/code.tsx'
import { Card, Facts } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { apiBody, apiFieldNames, ApiFields, type EditableApi, editableApi } from './api-fields.tsx'
import type { Api } from './list.tsx'

export function ApiSettings({ item }: { readonly item: Versioned<Api> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id: item.value.id }
  const edit = useEdit<Api, EditableApi>({
    name: `api/${path.id}`,
    list: '/v1/resources',
    item,
    editable: editableApi,
    fields: apiFieldNames,
    read: () => versioned(api.GET('/v1/resources/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/resources/{id}', {
          params: { path },
          body: apiBody(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const labels = {
    name: say(apis.name),
    token_format: say(apis.format),
    token_typ: say(apis.typ),
    access_token_ttl: say(apis.life),
    status_list: say(apis.statusList),
    claim_mappings: say(apis.claims),
    require_roles: say(roles.requireRoles),
    policy_service: say(decisions.policy),
    issuance_hook: say(decisions.hook),
  }
  const mayWrite = session.may('admin:resources:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(apis.tabSettings)} readOnly={!mayWrite}>
        <ApiFields form={edit.form} />
      </EditForm>
      <Card title={say(apis.one)}>
        <Facts facts={[[say(apis.identifier), <Copyable key="id" text={path.id} label={say(apis.identifier)} />]]} />
      </Card>
      {mayWrite ? <RemoveApi item={item} /> : null}
    </div>
  )
}

function RemoveApi({ item: { value, etag } }: { readonly item: Versioned<Api> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/resources/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(apis.removed), ends: '/v1/resources', draft: `api/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(apis.remove)}
        title={say(apis.removeTitle, { name: value.name ?? value.id })}
        text={say(apis.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/apis' })
          return done
        }}
      />
    </div>
  )
}
