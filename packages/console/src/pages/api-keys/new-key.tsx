/** Making an API key. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { endInDays, ShownOnce } from '../../app/forms/shown-once.tsx'
import { useRefresh } from '../../app/items/use-item.ts'
import { apiKeys } from '../../messages/people.ts'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

const initial = { name: '', client_id: '', resource: '', scope: '', expires_at: '' }

const bodyOf = ({ expires_at: days, scope, ...rest }: typeof initial) => ({
  ...rest,
  ...(scope.trim() === '' ? {} : { scope: scope.trim() }),
  ...(days.trim() === '' ? {} : { expires_at: endInDays(days) }),
})

export function NewKey() {
  const say = useSay()
  const { api } = useConsole()
  const refresh = useRefresh()
  return (
    <ShownOnce
      name="new-api-key"
      initial={initial}
      words={apiKeys}
      send={async (values) => {
        const made = await answered(api.POST('/v1/api-keys', { body: bodyOf(values) as never }))
        await refresh('/v1/api-keys')
        return made.key ?? ''
      }}
      fields={(field) => (
        <>
          <TextField label={say(apiKeys.name)} hint={say(apiKeys.nameHint)} {...field('name')} />
          <TextField label={say(apiKeys.client)} {...field('client_id')} />
          <TextField label={say(apiKeys.resource)} hint={say(apiKeys.resourceHint)} {...field('resource')} />
          <TextField label={say(apiKeys.scope)} hint={say(apiKeys.scopeHint)} optional {...field('scope')} />
          <TextField
            label={say(apiKeys.days)}
            hint={say(apiKeys.daysHint)}
            type="number"
            min={1}
            optional
            {...field('expires_at')}
          />
        </>
      )}
    />
  )
}
