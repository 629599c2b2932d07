/** Making a group. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { groups } from '../../messages/groups.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { type EditableGroup, groupBody, groupFieldNames, GroupFields, newGroup } from './group-fields.tsx'

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm<EditableGroup>({ name: 'new-group', initial: newGroup, fields: groupFieldNames })
  const send = async (values: EditableGroup): Promise<void> => {
    const body = Object.fromEntries(Object.entries(groupBody(values)).filter(([, value]) => value !== null))
    const made = await answered(api.POST('/v1/groups', { body: body as never }))
    await refresh('/v1/groups')
    toasts.done(say(groups.made))
    go({ to: '/groups/$id', params: { id: made.id }, search: { tab: 'members' } })
  }
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={<Crumb to="/groups">{say(groups.title)}</Crumb>} title={say(groups.create)} />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <GroupFields form={form} />
        </div>
      </Card>
    </form>
  )
}
