/** The fields of a provider of SAML. */
import { providers } from '../../messages/providers.ts'
import { given, TextAreaField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { EditableProvider } from './editable-provider.ts'

interface SamlFieldsProps {
  readonly values: EditableProvider
  readonly set: (change: Partial<EditableProvider>) => void
  readonly faultOf: (field: string) => string | undefined
}

export function SamlFields({ values, set, faultOf }: SamlFieldsProps) {
  const say = useSay()
  return (
    <>
      <TextField
        label={say(providers.ssoUrl)}
        hint={say(providers.ssoUrlHint)}
        placeholder="https://login.example.com/saml/sso"
        value={values.ssoUrl}
        onChange={(ssoUrl) => set({ ssoUrl })}
        {...given({ fault: faultOf('sso_url') })}
      />
      <TextAreaField
        label={say(providers.certificates)}
        hint={say(providers.certificatesHint)}
        value={values.certificates}
        onChange={(certificates) => set({ certificates })}
        {...given({ fault: faultOf('certificates') })}
      />
    </>
  )
}
