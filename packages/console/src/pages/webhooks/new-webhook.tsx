/** Making a webhook: where to and which events; its secret is shown once. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ShownOnce } from '../../app/forms/shown-once.tsx'
import { useRefresh } from '../../app/items/use-item.ts'
import { webhooks } from '../../messages/webhooks.ts'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

const initial = { url: '', events: '', description: '' }

const bodyOf = ({ url, events, description }: typeof initial): object => ({
  url: url.trim(),
  events: events.split(/[\s,]+/).filter((it) => it !== ''),
  ...(description.trim() === '' ? {} : { description: description.trim() }),
})

export function NewWebhook() {
  const say = useSay()
  const { api } = useConsole()
  const refresh = useRefresh()
  return (
    <ShownOnce
      name="new-webhook"
      initial={initial}
      words={{ create: webhooks.create, made: webhooks.secret, once: webhooks.secretOnce }}
      send={async (values) => {
        const made = await answered(api.POST('/v1/webhooks', { body: bodyOf(values) as never }))
        await refresh('/v1/webhooks')
        return made.secret ?? ''
      }}
      fields={(field) => (
        <>
          <TextField label={say(webhooks.url)} hint={say(webhooks.urlHint)} type="url" {...field('url')} />
          <TextField label={say(webhooks.events)} hint={say(webhooks.eventsHint)} {...field('events')} />
          <TextField label={say(webhooks.description)} optional {...field('description')} />
        </>
      )}
    />
  )
}
