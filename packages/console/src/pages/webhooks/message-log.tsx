/** What became of the messages of a webhook or a stream: sent again one by one, or all that were given up. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AdminApi } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { ChoiceFilter } from '../../app/lists/filters.tsx'
import { webhooks } from '../../messages/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Message, MessageTable } from './message-table.tsx'

/** They move by themselves. */
const refetchInterval = 3000
const states = ['waiting', 'delivered', 'dead'] as const

/** Where messages are read and sent again. */
export interface MessageSource {
  /** The list of those that are told. */
  readonly list: string
  read(api: AdminApi, id: string, body: { readonly state?: Message['state']; readonly limit: number }): Promise<unknown>
  replay(api: AdminApi, id: string, body: { readonly delivery?: string }): Promise<unknown>
}

interface MessageLogProps {
  readonly id: string
  readonly source: MessageSource
  readonly isFetched?: boolean
  readonly actions?: ReactNode
}

export function MessageLog({ id, source, isFetched = false, actions }: MessageLogProps) {
  const say = useSay()
  const { api, session } = useConsole()
  const [chosen, setChosen] = useState('')
  const state = states.find((it) => it === chosen)
  const result = useQuery({
    queryKey: [source.list, id, 'deliveries', chosen],
    queryFn: async () =>
      (await source.read(api, id, { ...(state === undefined ? {} : { state }), limit: 50 })) as {
        readonly items: readonly Message[]
      },
    refetchInterval,
  })
  const mayWrite = session.may('admin:webhooks:write')
  const replay = useAct(
    (calls, delivery: string | null) => source.replay(calls, id, delivery === null ? {} : { delivery }),
    { done: say(webhooks.replayed), refresh: [source.list] },
  )
  const items = result.data?.items
  const someDead = items?.some((it) => it.state === 'dead') === true
  const options = states.map((value) => ({ value, label: say(webhooks[value]) }))
  return (
    <Card
      flush
      title={say(webhooks.deliveries)}
      text={say(webhooks.deliveriesText)}
      actions={
        <>
          <ChoiceFilter label={say(webhooks.anyOutcome)} value={chosen} onChange={setChosen} options={options} />
          {mayWrite && someDead ? (
            <Button size="small" busy={replay.busy} onClick={() => void replay.run(null)}>
              {say(webhooks.replayAll)}
            </Button>
          ) : null}
          {mayWrite ? actions : null}
        </>
      }
    >
      {items === undefined ? (
        result.isError ? (
          <PageFault error={result.error} retry={() => void result.refetch()} />
        ) : (
          <Skeleton width="60%" />
        )
      ) : items.length === 0 ? (
        <Empty
          icon="webhook"
          title={say(state === undefined ? webhooks.noDeliveries : webhooks.noneOfThat)}
          {...(state === undefined ? { text: say(webhooks.noDeliveriesText) } : {})}
        />
      ) : (
        <MessageTable
          items={items}
          isFetched={isFetched}
          {...(mayWrite ? { replay: (it: string) => void replay.run(it) } : {})}
        />
      )}
    </Card>
  )
}
