/** What became of the messages of a webhook: sent again one by one, or all that were given up; and a test. */
import { useQuery } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { webhooks } from '../../messages/webhooks.ts'
import type { Words } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Clip, Empty, Skeleton } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface Message {
  readonly id: string
  readonly type: string
  readonly state: 'waiting' | 'delivered' | 'dead'
  readonly attempts: number
  readonly last_status?: number
  readonly last_error?: string
  readonly latency_ms?: number
  readonly made_at: string
  readonly next_try_at?: string
}

/** They move by themselves. */
const refetchInterval = 3000
/** Why nothing was answered; what else there may be is shown as it is. */
const errors: Readonly<Record<string, Words>> = {
  address: webhooks.errorAddress,
  unreachable: webhooks.errorUnreachable,
  time: webhooks.errorTime,
  unopened: webhooks.errorUnopened,
}
const tones = { waiting: 'info', delivered: 'done', dead: 'danger' } as const

export function MessageLog({ id }: { readonly id: string }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id }
  const result = useQuery({
    queryKey: ['/v1/webhooks', id, 'deliveries'],
    queryFn: async () =>
      (await answered(api.POST('/v1/webhooks/{id}/deliveries', { params: { path }, body: { limit: 50 } }))) as {
        readonly items: readonly Message[]
      },
    refetchInterval,
  })
  const mayWrite = session.may('admin:webhooks:write')
  const test = useAct(
    (calls) => answered(calls.POST('/v1/webhooks/{id}/test', { params: { path }, body: {} as never })),
    {
      done: say(webhooks.tested),
      refresh: ['/v1/webhooks'],
    },
  )
  const replay = useAct(
    (calls, delivery: string | null) =>
      answered(
        calls.POST('/v1/webhooks/{id}/replay', { params: { path }, body: delivery === null ? {} : { delivery } }),
      ),
    { done: say(webhooks.replayed), refresh: ['/v1/webhooks'] },
  )
  const items = result.data?.items
  const someDead = items?.some(({ state }) => state === 'dead') === true
  return (
    <Card
      flush
      title={say(webhooks.deliveries)}
      text={say(webhooks.deliveriesText)}
      actions={
        mayWrite ? (
          <>
            {someDead ? (
              <Button size="small" busy={replay.busy} onClick={() => void replay.run(null)}>
                {say(webhooks.replayAll)}
              </Button>
            ) : null}
            <Button size="small" icon="play" busy={test.busy} onClick={() => void test.run()}>
              {say(webhooks.test)}
            </Button>
          </>
        ) : undefined
      }
    >
      {items === undefined ? (
        result.isError ? (
          <PageFault error={result.error} retry={() => void result.refetch()} />
        ) : (
          <Skeleton width="60%" />
        )
      ) : items.length === 0 ? (
        <Empty icon="webhook" title={say(webhooks.noDeliveries)} text={say(webhooks.noDeliveriesText)} />
      ) : (
        <MessageTable items={items} {...(mayWrite ? { replay: (it: string) => void replay.run(it) } : {})} />
      )}
    </Card>
  )
}

interface TableProps {
  readonly items: readonly Message[]
  readonly replay?: (id: string) => void
}

function MessageTable({ items, replay }: TableProps) {
  const say = useSay()
  const titles = [
    webhooks.type,
    webhooks.outcome,
    webhooks.answer,
    webhooks.latency,
    webhooks.tries,
    webhooks.at,
    webhooks.next,
  ]
  const errorText = (error: string | undefined): string => {
    const words = error === undefined ? undefined : errors[error]
    return words === undefined ? (error ?? '–') : say(words)
  }
  return (
    <div className="table-wrap">
      <table className="table" aria-label={say(webhooks.deliveries)}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title[0]} scope="col">
                {say(title)}
              </th>
            ))}
            {replay === undefined ? null : (
              <th scope="col">
                <span className="hidden-label">{say(webhooks.replay)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((it) => (
            <tr key={it.id}>
              <td data-label={say(webhooks.type)}>
                <Clip>{it.type}</Clip>
              </td>
              <td data-label={say(webhooks.outcome)}>
                <Badge tone={tones[it.state]}>{say(webhooks[it.state])}</Badge>
              </td>
              <td data-label={say(webhooks.answer)}>{it.last_status ?? errorText(it.last_error)}</td>
              <td data-label={say(webhooks.latency)}>
                {it.latency_ms === undefined ? '–' : say(webhooks.milliseconds, { n: it.latency_ms })}
              </td>
              <td data-label={say(webhooks.tries)}>{it.attempts}</td>
              <td data-label={say(webhooks.at)}>
                <Moment at={it.made_at} />
              </td>
              <td data-label={say(webhooks.next)}>
                {it.next_try_at === undefined || it.state !== 'waiting' ? '–' : <Moment at={it.next_try_at} />}
              </td>
              {replay === undefined ? null : (
                <td data-label="" className="end">
                  {it.state === 'waiting' ? null : (
                    <Button size="small" onClick={() => replay(it.id)}>
                      {say(webhooks.replay)}
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
