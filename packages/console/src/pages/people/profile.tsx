/** What is known of a person, to be changed; and the end of their account. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { useGo } from '../../app/link.tsx'
import { people } from '../../messages/people.ts'
import { Copyable } from '../../ui/code.tsx'
import { Card, Facts } from '../../ui/content.tsx'
import { CheckField, given, SelectField, TextField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Person, textOf } from './person.tsx'

const kinds = ['owner', 'operator', 'support', 'auditor'] as const

const editable = (person: Person) => ({
  username: person.username,
  name: textOf(person['name']),
  email: textOf(person['email']),
  email_verified: person['email_verified'] === true,
  administrator: person.administrator ?? '',
  disabled: person.disabled,
})

type Editable = ReturnType<typeof editable>

/** RFC 7396: an empty text takes a field away. */
const patchOf = (changes: Partial<Editable>): object =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value === '' ? null : value]))

export function Profile({ item }: { readonly item: Versioned<Person> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const { id } = item.value
  const path = { id }
  const edit = useEdit<Person, Editable>({
    name: `person/${id}`,
    list: '/v1/users',
    item,
    editable,
    fields: ['username', 'name', 'email', 'administrator'],
    read: () => versioned(api.GET('/v1/users/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/users/{id}', {
          params: { path },
          body: patchOf(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const { form } = edit
  const labels: Readonly<Record<keyof Editable, string>> = {
    username: say(people.username),
    name: say(people.name),
    email: say(people.email),
    email_verified: say(people.emailVerified),
    administrator: say(people.administrator),
    disabled: say(people.disable),
  }
  const text = (name: 'username' | 'name' | 'email') => ({
    label: labels[name],
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  const mayWrite = session.may('admin:users:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(people.tabProfile)} readOnly={!mayWrite}>
        <div className="form-grid">
          <TextField {...text('username')} />
          <TextField {...text('name')} />
          <TextField {...text('email')} />
          <SelectField
            label={labels.administrator}
            hint={say(people.administratorHint)}
            value={form.values.administrator}
            onChange={(administrator) => form.set({ administrator })}
            options={[
              { value: '', label: say(people.notAdministrator) },
              ...kinds.map((kind) => ({ value: kind, label: kind })),
            ]}
            {...given({ fault: form.faultOf('administrator') })}
          />
        </div>
        <CheckField
          label={labels.email_verified}
          value={form.values.email_verified}
          onChange={(verified) => form.set({ email_verified: verified })}
        />
        <CheckField
          label={labels.disabled}
          hint={say(people.disableHint)}
          value={form.values.disabled}
          onChange={(disabled) => form.set({ disabled })}
        />
      </EditForm>
      <Card title={say(people.one)}>
        <Facts
          facts={[
            [say(people.id), <Copyable key="id" text={id} label={say(people.id)} />],
            [say(people.since), <Moment key="c" at={item.value.created_at} />],
          ]}
        />
      </Card>
      {mayWrite ? <RemovePerson item={item} /> : null}
    </div>
  )
}

function RemovePerson({ item: { value, etag } }: { readonly item: Versioned<Person> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/users/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(people.removed), ends: '/v1/users', draft: `person/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(people.remove)}
        title={say(people.removeTitle, { name: value.username })}
        text={say(people.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/people' })
          return done
        }}
      />
    </div>
  )
}
