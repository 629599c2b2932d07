/** Making a registration token: for how many clients and how long. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { endInDays, ShownOnce } from '../../app/forms/shown-once.tsx'
import { useRefresh } from '../../app/items/use-item.ts'
import { agents } from '../../messages/agents.ts'
import { Code } from '../../ui/code.tsx'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

const initial = { uses_left: '', expires_at: '' }

/** What is no number is sent as it is, and refused at its field. */
const numberOrText = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text)

const bodyOf = ({ uses_left: uses, expires_at: days }: typeof initial): object => ({
  ...(uses.trim() === '' ? {} : { uses_left: numberOrText(uses) }),
  ...(days.trim() === '' ? {} : { expires_at: endInDays(days) }),
})

export function NewRegistrationToken() {
  const say = useSay()
  const { api, place } = useConsole()
  const refresh = useRefresh()
  return (
    <ShownOnce
      name="new-registration-token"
      initial={initial}
      words={{ create: agents.newToken, made: agents.token, once: agents.tokenOnce }}
      send={async (values) => {
        const made = await answered(api.POST('/v1/registration-tokens', { body: bodyOf(values) as never }))
        await refresh('/v1/registration-tokens')
        return made.token ?? ''
      }}
      fields={(field) => (
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
        </>
      )}
      usage={(token) => <Code text={registerLine(place.issuer, token)} label={say(agents.tokenUse)} />}
    />
  )
}

const registerLine = (issuer: string, token: string): string =>
  `curl ${issuer}/register \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"client_name": "My tool", "redirect_uris": ["http://127.0.0.1/cb"], "token_endpoint_auth_method": "none"}'`
