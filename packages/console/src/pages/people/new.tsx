/** Making an account. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { useForm } from '../../app/forms/use-form.ts'
import { Crumb, useGo } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { people } from '../../messages/people.ts'
import { Button } from '../../ui/button.tsx'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { Fault, given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'

const initial = { username: '', name: '', email: '' }

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm({ name: 'new-person', initial, fields: ['username', 'name', 'email'] })
  const send = async (values: typeof initial): Promise<void> => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
    const made = await answered(api.POST('/v1/users', { body: { ...given, disabled: false } as never }))
    await refresh('/v1/users')
    toasts.done(say(people.created))
    go({ to: '/people/$id', params: { id: made.id }, search: { tab: 'sign-in' } })
  }
  const field = (name: keyof typeof initial) => ({
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={<Crumb to="/people">{say(people.title)}</Crumb>} title={say(people.create)} />
      <Card
        footer={
          <div className="form-footer">
            <Button type="submit" kind="primary" busy={form.busy}>
              {say(frame.create)}
            </Button>
            {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
          </div>
        }
      >
        <div className="stack">
          <TextField label={say(people.username)} {...field('username')} />
          <div className="form-grid">
            <TextField label={say(people.name)} optional {...field('name')} />
            <TextField label={say(people.email)} type="email" optional {...field('email')} />
          </div>
          <p className="muted">{say(people.createdText)}</p>
        </div>
      </Card>
    </form>
  )
}
