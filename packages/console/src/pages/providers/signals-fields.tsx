/** Where a provider is asked for security events, and by what. */
import { providers } from '../../messages/providers.ts'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { EditableProvider } from './editable-provider.ts'

interface SignalsFieldsProps {
  readonly values: EditableProvider
  readonly set: (change: Partial<EditableProvider>) => void
  readonly faultOf: (field: string) => string | undefined
}

/** By what it is asked is of interest only where it is asked at all; what was typed is never hidden. */
export function SignalsFields({ values, set, faultOf }: SignalsFieldsProps) {
  const say = useSay()
  const isAsked = [values.signalsUrl, values.signalsScope, values.signalsAuthorization].some((it) => it !== '')
  return (
    <>
      <TextField
        label={say(providers.signalsUrl)}
        hint={say(providers.signalsUrlHint)}
        optional
        placeholder="https://login.example.com/ssf/poll?stream_id=…"
        value={values.signalsUrl}
        onChange={(signalsUrl) => set({ signalsUrl })}
        {...given({ fault: faultOf('signals_url') })}
      />
      {isAsked ? (
        <div className="form-grid">
          <TextField
            label={say(providers.signalsScope)}
            hint={say(providers.signalsScopeHint)}
            optional
            placeholder="ssf.read"
            value={values.signalsScope}
            onChange={(signalsScope) => set({ signalsScope })}
            {...given({ fault: faultOf('signals_scope') })}
          />
          <TextField
            label={say(providers.signalsAuthorization)}
            hint={say(providers.signalsAuthorizationHint)}
            optional
            placeholder="Bearer …"
            value={values.signalsAuthorization}
            onChange={(signalsAuthorization) => set({ signalsAuthorization })}
            {...given({ fault: faultOf('signals_authorization') })}
          />
        </div>
      ) : null}
    </>
  )
}
