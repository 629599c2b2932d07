/** What is done with a stream: stopped with a word to its client, let go on, deleted. */
import { answered, type Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { streams } from '../../messages/streams.ts'
import { Button } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Stream } from './status.tsx'
import { StopStream } from './stop-stream.tsx'
import { useStreamChange } from './use-stream-change.ts'

export function StreamActs({ item }: { readonly item: Versioned<Stream> }) {
  const say = useSay()
  const go = useGo()
  const { session } = useConsole()
  const { id, status, held } = item.value
  const change = useStreamChange(item)
  const remove = useAct(
    async (api) => {
      await answered(api.DELETE('/v1/streams/{id}', { params: { path: { id } } }))
      go({ to: '/streams' })
    },
    { done: say(streams.removed), refresh: ['/v1/streams'] },
  )
  if (!session.may('admin:webhooks:write')) return null
  return (
    <>
      {status === 'enabled' || !held ? <StopStream item={item} /> : null}
      {status === 'enabled' ? null : (
        <Button busy={change.busy} onClick={() => void change.run({ status: 'enabled', status_reason: null })}>
          {say(streams.enable)}
        </Button>
      )}
      <ConfirmButton
        action={say(streams.remove)}
        title={say(streams.removeTitle)}
        text={say(streams.removeText)}
        busy={remove.busy}
        onConfirm={() => remove.run()}
      />
    </>
  )
}
