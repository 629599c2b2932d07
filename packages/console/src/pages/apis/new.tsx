/** Making an API. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo } from '../../app/link.tsx'
import { apis } from '../../messages/apis.ts'
import { frame } from '../../messages/frame.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { noPoint } from './decision-fields.tsx'
import { apiBody, type EditableApi, apiFieldNames, ApiFields } from './api-fields.tsx'

interface NewApi extends EditableApi {
  readonly identifier: string
}

const initial: NewApi = {
  identifier: '',
  name: '',
  token_format: 'jwt',
  token_typ: 'at+jwt',
  access_token_ttl: '',
  status_list: false,
  claim_mappings: [],
  require_roles: false,
  policy_service: noPoint,
  issuance_hook: noPoint,
}

/** Made anew: what is left out is absent, where a change would say null. */
const withoutNull = (body: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (value === null) return []
      const isObject = typeof value === 'object' && !Array.isArray(value)
      return [[name, isObject ? withoutNull(value as Record<string, unknown>) : value]]
    }),
  )

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm({ name: 'new-api', initial, fields: ['identifier', ...apiFieldNames] })
  const send = async ({ identifier, ...rest }: NewApi): Promise<void> => {
    const body = { identifier: identifier.trim(), ...withoutNull(apiBody(rest)) }
    const made = await answered(api.POST('/v1/resources', { body: body as never }))
    await refresh('/v1/resources')
    toasts.done(say(apis.made))
    go({ to: '/apis/$id', params: { id: made.id }, search: { tab: 'scopes' } })
  }
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={<Crumb to="/apis">{say(apis.title)}</Crumb>} title={say(apis.create)} />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <TextField
            label={say(apis.identifier)}
            hint={say(apis.identifierHint)}
            placeholder="https://api.example.com"
            value={form.values.identifier}
            onChange={(identifier) => form.set({ identifier })}
            {...given({ fault: form.faultOf('identifier') })}
          />
          <ApiFields form={form} />
        </div>
      </Card>
    </form>
  )
}
