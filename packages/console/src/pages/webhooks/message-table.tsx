/** What became of each message, in a table. */
import { webhooks } from '../../messages/webhooks.ts'
import type { Words } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Clip } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { signalName } from '../streams/signal-name.ts'

export interface Message {
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

/** Why nothing was answered; what else there may be is shown as it is. */
const errors: Readonly<Record<string, Words>> = {
  address: webhooks.errorAddress,
  unreachable: webhooks.errorUnreachable,
  time: webhooks.errorTime,
  unopened: webhooks.errorUnopened,
}
export function errorText(error: string | undefined, say: Say): string {
  const words = error === undefined ? undefined : errors[error]
  return words === undefined ? (error ?? '–') : say(words)
}

const tones = { waiting: 'info', delivered: 'done', dead: 'danger' } as const

interface TableProps {
  readonly items: readonly Message[]
  /** The receiver comes for them: nothing is tried here. */
  readonly isFetched: boolean
  readonly replay?: (id: string) => void
}

export function MessageTable({ items, isFetched, replay }: TableProps) {
  const say = useSay()
  const titles: readonly (readonly [title: Words, width: string])[] = [
    [webhooks.type, '18%'],
    [webhooks.outcome, '11%'],
    [webhooks.answer, '16%'],
    [webhooks.latency, '9%'],
    [webhooks.tries, '9%'],
    [webhooks.at, '13%'],
    [webhooks.next, '13%'],
  ]
  return (
    <div className="table-wrap">
      <table className="table" aria-label={say(webhooks.deliveries)}>
        <thead>
          <tr>
            {titles.map(([title, width]) => (
              <th key={title[0]} scope="col" style={{ inlineSize: width }}>
                {say(title)}
              </th>
            ))}
            {replay === undefined ? null : (
              <th scope="col" style={{ inlineSize: '11%' }}>
                <span className="hidden-label">{say(webhooks.replay)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((it) => (
            <tr key={it.id}>
              <td data-label={say(webhooks.type)}>
                <Clip>{signalName(it.type)}</Clip>
              </td>
              <td data-label={say(webhooks.outcome)}>
                <Badge tone={tones[it.state]}>{say(webhooks[it.state])}</Badge>
              </td>
              <td data-label={say(webhooks.answer)}>{it.last_status ?? errorText(it.last_error, say)}</td>
              <td data-label={say(webhooks.latency)}>
                {it.latency_ms === undefined ? '–' : say(webhooks.milliseconds, { n: it.latency_ms })}
              </td>
              <td data-label={say(webhooks.tries)}>{it.attempts}</td>
              <td data-label={say(webhooks.at)}>
                <Moment at={it.made_at} />
              </td>
              <td data-label={say(webhooks.next)}>
                {isFetched || it.next_try_at === undefined || it.state !== 'waiting' ? (
                  '–'
                ) : (
                  <Moment ahead at={it.next_try_at} />
                )}
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
