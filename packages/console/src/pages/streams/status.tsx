/** How a stream fares, in a word. */
import type { Schemas } from '../../api/client.ts'
import { streams } from '../../messages/streams.ts'
import { Badge } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Stream = Schemas['Streams']

const tones = { enabled: 'done', paused: 'warning', disabled: 'plain' } as const

export function StreamStatus({ stream: { status, failing_since: since } }: { readonly stream: Stream }) {
  const say = useSay()
  if (status === 'enabled' && since !== undefined) return <Badge tone="warning">{say(streams.failing)}</Badge>
  return <Badge tone={tones[status]}>{say(streams[status])}</Badge>
}
