/** Making an API key: a form, and then the key, once. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { useForm } from '../../app/forms/use-form.ts'
import { frame } from '../../messages/frame.ts'
import { apiKeys } from '../../messages/people.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/code.tsx'
import { Notice } from '../../ui/content.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault, given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

const initial = { name: '', client_id: '', resource: '', scope: '', days: '' }
type Wanted = typeof initial

const day = 86_400_000

const bodyOf = ({ days, scope, ...rest }: Wanted) => ({
  ...rest,
  ...(scope.trim() === '' ? {} : { scope: scope.trim() }),
  ...(days.trim() === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * day).toISOString() }),
})

export function NewKey() {
  const say = useSay()
  const { api } = useConsole()
  const refresh = useRefresh()
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  const form = useForm({ name: 'new-api-key', initial, fields: ['name', 'client_id', 'resource', 'scope'] })
  const close = (): void => {
    setOpen(false)
    setKey(null)
    form.reset(initial)
  }
  const send = async (values: Wanted): Promise<void> => {
    const made = await answered(api.POST('/v1/api-keys', { body: bodyOf(values) as never }))
    setKey(made.key ?? '')
    await refresh('/v1/api-keys')
  }
  const field = (name: keyof Wanted) => ({
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {say(apiKeys.create)}
      </Button>
      <Dialog
        open={open || form.restored}
        onClose={close}
        title={say(key === null ? apiKeys.create : apiKeys.made)}
        {...(key === null ? { onSubmit: () => void form.submit(send) } : {})}
        footer={
          key === null ? (
            <>
              <Button onClick={close}>{say(frame.cancel)}</Button>
              <Button type="submit" kind="primary" busy={form.busy}>
                {say(frame.create)}
              </Button>
            </>
          ) : (
            <Button kind="primary" onClick={close}>
              {say(frame.close)}
            </Button>
          )
        }
      >
        {key === null ? (
          <>
            <TextField label={say(apiKeys.name)} hint={say(apiKeys.nameHint)} {...field('name')} />
            <TextField label={say(apiKeys.client)} {...field('client_id')} />
            <TextField label={say(apiKeys.resource)} hint={say(apiKeys.resourceHint)} {...field('resource')} />
            <TextField label={say(apiKeys.scope)} hint={say(apiKeys.scopeHint)} optional {...field('scope')} />
            <TextField
              label={say(apiKeys.days)}
              hint={say(apiKeys.daysHint)}
              type="number"
              min={1}
              optional
              {...field('days')}
            />
            {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
          </>
        ) : (
          <>
            <Copyable text={key} label={say(apiKeys.made)} />
            <Notice tone="warning">{say(apiKeys.once)}</Notice>
          </>
        )}
      </Dialog>
    </>
  )
}
