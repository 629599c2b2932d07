/** Inviting somebody: by mail, or by a link that is shown once. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { SecretDialog } from '../../app/forms/secret-dialog.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { invitations } from '../../messages/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { type Invited, InviteFields, invitedFieldNames, nobodyYet } from './invite-fields.tsx'

const bodyOf = ({ email, name, link, life, groups, roles }: Invited): object => ({
  email: email.trim(),
  link,
  expires_in: Number(life),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(roles.length === 0 ? {} : { roles }),
})

export function Invite() {
  const say = useSay()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm<Invited>({ name: 'invite', initial: nobodyYet, fields: invitedFieldNames })
  const [open, setOpen] = useState(form.restored)
  const [link, setLink] = useState<string | null>(null)
  const close = (): void => {
    setOpen(false)
    setLink(null)
    form.reset({ base: nobodyYet })
  }
  const send = async (values: Invited): Promise<void> => {
    const answer = await answered(api.POST('/v1/users/invite', { body: bodyOf(values) as never }))
    const made = answer as { readonly link?: string }
    await refresh('/v1/users')
    if (made.link !== undefined) return setLink(made.link)
    toasts.done(say(invitations.sent))
    close()
  }
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {say(invitations.invite)}
      </Button>
      <SecretDialog
        open={open}
        onClose={close}
        secret={link}
        title={say(invitations.invite)}
        submit={{ label: say(invitations.send), busy: form.busy, run: () => void form.submit(send) }}
        made={{ title: say(invitations.link), once: say(invitations.linkOnce) }}
      >
        <InviteFields form={form} />
        {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
      </SecretDialog>
    </>
  )
}
