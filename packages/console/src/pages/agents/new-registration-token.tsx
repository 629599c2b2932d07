/** Making a registration token: for how many clients and how long, and then the token, once. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { agents } from '../../messages/agents.ts'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Code, Copyable } from '../../ui/code.tsx'
import { Notice } from '../../ui/content.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault, given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

const initial = { uses_left: '', expires_at: '' }
type Wanted = typeof initial

const day = 86_400_000

/** What is no number is sent as it is, and refused at its field. */
const numberOrText = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text)

const bodyOf = ({ uses_left: uses, expires_at: days }: Wanted): object => ({
  ...(uses.trim() === '' ? {} : { uses_left: numberOrText(uses) }),
  ...(days.trim() === '' ? {} : { expires_at: endOf(days) }),
})

function endOf(days: string): string {
  const at = new Date(Date.now() + Number(days) * day)
  return Number.isNaN(at.getTime()) ? days : at.toISOString()
}

export function NewRegistrationToken() {
  const say = useSay()
  const { api, place } = useConsole()
  const refresh = useRefresh()
  const [open, setOpen] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const form = useForm({ name: 'new-registration-token', initial, fields: ['uses_left', 'expires_at'] })
  const close = (): void => {
    setOpen(false)
    setToken(null)
    form.reset(initial)
  }
  const send = async (values: Wanted): Promise<void> => {
    const made = await answered(api.POST('/v1/registration-tokens', { body: bodyOf(values) as never }))
    setToken(made.token ?? '')
    await refresh('/v1/registration-tokens')
  }
  const field = (name: keyof Wanted) => ({
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {say(agents.newToken)}
      </Button>
      <Dialog
        open={open || form.restored}
        onClose={close}
        title={say(token === null ? agents.newToken : agents.token)}
        {...(token === null ? { onSubmit: () => void form.submit(send) } : {})}
        footer={
          token === null ? (
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
        {token === null ? (
          <>
            <TextField
              label={say(agents.usesField)}
              hint={say(agents.usesHint)}
              inputMode="numeric"
              optional
              {...field('uses_left')}
            />
            <TextField
              label={say(agents.days)}
              hint={say(agents.daysHint)}
              inputMode="decimal"
              optional
              {...field('expires_at')}
            />
            {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
          </>
        ) : (
          <>
            <Copyable text={token} label={say(agents.token)} />
            <Notice tone="warning">{say(agents.tokenOnce)}</Notice>
            <Code text={registerLine(place.issuer, token)} label={say(agents.tokenUse)} />
          </>
        )}
      </Dialog>
    </>
  )
}

const registerLine = (issuer: string, token: string): string =>
  `curl ${issuer}/register \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"client_name": "My tool", "redirect_uris": ["http://127.0.0.1/cb"], "token_endpoint_auth_method": "none"}'`
