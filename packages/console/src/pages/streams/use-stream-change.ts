/** Another status for a stream, at the version that was looked at. */
import { answered, type Versioned } from '../../api/client.ts'
import { type Act, useAct } from '../../app/items/use-act.ts'
import { streams } from '../../messages/streams.ts'
import { useSay } from '../../ui/preferences.tsx'
import type { Stream } from './status.tsx'

interface StreamChange {
  readonly status: Stream['status']
  /** Null takes away the one before. */
  readonly status_reason: string | null
}

export function useStreamChange({ value: { id }, etag }: Versioned<Stream>): Act<[StreamChange]> {
  const say = useSay()
  return useAct(
    (api, body: StreamChange) =>
      answered(
        api.PATCH('/v1/streams/{id}', {
          params: { path: { id }, header: { 'If-Match': etag } } as never,
          body: body as never,
        }),
      ),
    { done: say(streams.changed), refresh: ['/v1/streams'] },
  )
}
