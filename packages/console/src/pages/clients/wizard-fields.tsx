/** The fields of the wizard: what the client is called, where people come back to, what it may ask for. */
import type { Form } from '../../app/forms/use-form.ts'
import { clients, wizard } from '../../messages/clients.ts'
import { given, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type KindName, kinds } from './kinds.ts'

export interface Wizard {
  readonly kind: KindName
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly scope: string
}

interface WizardFieldsProps {
  readonly form: Form<Wizard>
  /** What was left empty when it was sent; null before. */
  readonly lacks: { readonly name: boolean; readonly uris: boolean } | null
}

export function WizardFields({ form, lacks }: WizardFieldsProps) {
  const say = useSay()
  const { values } = form
  return (
    <div className="stack-small">
      <TextField
        label={say(wizard.name)}
        hint={say(wizard.nameHint)}
        value={values.name}
        onChange={(name) => form.set({ name })}
        {...given({
          fault: lacks?.name === true ? say(wizard.nameNeeded) : form.faultOf('client_name'),
        })}
      />
      {kinds[values.kind].redirect === null ? null : (
        <LinesField
          label={say(clients.redirectUris)}
          hint={say(clients.redirectUrisHint)}
          add={say(clients.addUri)}
          value={values.redirect_uris}
          onChange={(uris) => form.set({ redirect_uris: uris })}
          {...given({
            fault: lacks?.uris === true ? say(wizard.uriNeeded) : form.faultOf('redirect_uris'),
          })}
        />
      )}
      <TextField
        label={say(clients.scopes)}
        hint={say(wizard.scopesHint)}
        value={values.scope}
        onChange={(scope) => form.set({ scope })}
        {...given({ fault: form.faultOf('scope') })}
      />
    </div>
  )
}
