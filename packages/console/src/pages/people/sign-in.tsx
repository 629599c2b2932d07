/** What a person signs in with; and for who cannot any more: a mail, another password, no second factors. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { frame } from '../../messages/frame.ts'
import { people } from '../../messages/people.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/content.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Person } from './person.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

const refresh = ['/v1/users', '/v1/sessions', '/v1/events']

export function SignIn({ person }: { readonly person: Person }) {
  const { session } = useConsole()
  return (
    <div className="stack">
      <SignInMethods person={person} />
      {session.may('admin:users:write') ? <Reset person={person} /> : null}
    </div>
  )
}

function Reset({ person }: { readonly person: Person }) {
  const say = useSay()
  const path = { id: person.id }
  const mail = useAct((api) => answered(api.POST('/v1/users/{id}/reset-password', { params: { path }, body: {} })), {
    done: say(people.mailed),
    refresh,
  })
  const factors = useAct(
    (api) => answered(api.POST('/v1/users/{id}/reset-factors', { params: { path }, body: {} as never })),
    {
      done: say(people.factorsReset),
      refresh,
    },
  )
  return (
    <div className="stack">
      {person.must_change_password ? <Notice tone="warning">{say(people.mustChange)}</Notice> : null}
      <Card
        title={say(people.mailReset)}
        text={say(people.mailResetText)}
        actions={
          <Button icon="mail" busy={mail.busy} onClick={() => void mail.run()}>
            {say(people.mailReset)}
          </Button>
        }
      />
      <Card
        title={say(people.setPassword)}
        text={say(people.setPasswordText)}
        actions={<SetPassword person={person} />}
      />
      <Card
        title={say(people.resetFactors)}
        text={say(people.resetFactorsText)}
        actions={
          <ConfirmButton
            action={say(people.resetFactors)}
            title={say(people.resetFactorsTitle, { name: person.username })}
            text={say(people.resetFactorsText)}
            busy={factors.busy}
            onConfirm={() => factors.run()}
          />
        }
      />
    </div>
  )
}

function SetPassword({ person }: { readonly person: Person }) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  // No draft is kept of this: it is a secret.
  const [password, setPassword] = useState('')
  const path = { id: person.id }
  const set = useAct(
    (api) => answered(api.POST('/v1/users/{id}/reset-password', { params: { path }, body: { password } })),
    {
      done: say(people.passwordSet),
      refresh,
    },
  )
  const close = (): void => {
    setOpen(false)
    setPassword('')
  }
  return (
    <>
      <Button icon="key" onClick={() => setOpen(true)}>
        {say(people.setPassword)}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={say(people.setPassword)}
        onSubmit={() => void set.run().then((done) => (done ? close() : undefined))}
        footer={
          <>
            <Button onClick={close}>{say(frame.cancel)}</Button>
            <Button type="submit" kind="primary" busy={set.busy} disabled={password === ''}>
              {say(people.setPassword)}
            </Button>
          </>
        }
      >
        <p className="muted">{say(people.setPasswordText)}</p>
        <TextField
          label={say(people.password)}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
      </Dialog>
    </>
  )
}
