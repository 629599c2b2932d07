/** The fields of a directory that keeps passwords (LDAP). */
import { providers } from '../../messages/providers.ts'
import { given, TextAreaField, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { EditableProvider } from './editable-provider.ts'

interface DirectoryFieldsProps {
  readonly values: EditableProvider
  readonly set: (change: Partial<EditableProvider>) => void
  readonly faultOf: (field: string) => string | undefined
}

/** Where the servers of a directory are, and whom of it a typed name means. */
export function DirectoryFields({ values, set, faultOf }: DirectoryFieldsProps) {
  const say = useSay()
  return (
    <>
      <LinesField
        label={say(providers.hosts)}
        hint={say(providers.hostsHint)}
        add={say(providers.addHost)}
        placeholder="ldaps://ldap.example.com"
        value={values.hosts}
        onChange={(hosts) => set({ hosts })}
        {...given({ fault: faultOf('hosts') })}
      />
      <TextAreaField
        label={say(providers.ca)}
        hint={say(providers.caHint)}
        value={values.ca}
        onChange={(ca) => set({ ca })}
        {...given({ fault: faultOf('ca') })}
      />
      <TextField
        label={say(providers.filter)}
        hint={say(providers.filterHint)}
        optional
        placeholder="(uid={username})"
        value={values.filter}
        onChange={(filter) => set({ filter })}
        {...given({ fault: faultOf('filter') })}
      />
    </>
  )
}
