/** What is said of somebody who is invited. */
import { useConsole } from '../../app/console-context.ts'
import { namesAsOptions, PickOfList } from '../../app/forms/pick-of-list.tsx'
import type { Form } from '../../app/forms/use-form.ts'
import { invitations } from '../../messages/accounts.ts'
import { CheckField, given, SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

export interface Invited {
  readonly email: string
  readonly name: string
  readonly link: boolean
  /** Seconds. */
  readonly life: string
  /** Names, both. */
  readonly groups: readonly string[]
  readonly roles: readonly string[]
}

export const invitedFieldNames = ['email', 'name', 'groups', 'roles'] as const

export const nobodyYet: Invited = { email: '', name: '', link: false, life: '604800', groups: [], roles: [] }

export function InviteFields({ form }: { readonly form: Form<Invited> }) {
  const say = useSay()
  const { session } = useConsole()
  const { values, set } = form
  const picked = (name: 'groups' | 'roles') => ({
    label: say(invitations[name]),
    optional: true,
    value: namesAsOptions(values[name]),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <>
      <TextField
        label={say(invitations.email)}
        inputMode="email"
        value={values.email}
        onChange={(email) => set({ email })}
        {...given({ fault: form.faultOf('email') })}
      />
      <TextField
        label={say(invitations.name)}
        hint={say(invitations.nameHint)}
        optional
        value={values.name}
        onChange={(name) => set({ name })}
        {...given({ fault: form.faultOf('name') })}
      />
      <CheckField
        label={say(invitations.byLink)}
        hint={say(invitations.byLinkHint)}
        value={values.link}
        onChange={(link) => set({ link })}
      />
      <SelectField
        label={say(invitations.life)}
        value={values.life}
        onChange={(life) => set({ life })}
        options={[
          { value: '86400', label: say(invitations.lifeDay) },
          { value: '604800', label: say(invitations.lifeWeek) },
          { value: '2592000', label: say(invitations.lifeMonth) },
        ]}
      />
      {session.may('admin:groups:write') ? (
        <PickOfList
          of="groups"
          {...picked('groups')}
          hint={say(invitations.presetHint)}
          onChange={(chosen) => set({ groups: chosen.map(({ label }) => label) })}
        />
      ) : null}
      {session.may('admin:roles:write') ? (
        <PickOfList
          of="roles"
          {...picked('roles')}
          onChange={(chosen) => set({ roles: chosen.map(({ label }) => label) })}
        />
      ) : null}
    </>
  )
}
