/** How the server is: its checks, how quick it is, since when it runs, and how old its keys are. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { home } from '../../messages/home.ts'
import { Badge, Card, Skeleton } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Health as HealthReport, useHealth } from '../settings/checks.ts'

type Key = Schemas['Keys']

export function Health() {
  const say = useSay()
  const { api, session } = useConsole()
  const health = useHealth()
  const seesKeys = session.may('admin:keys:read')
  const keys = useQuery({
    queryKey: ['/v1/keys', 'home'],
    queryFn: () => readPage(api, '/v1/keys', {}),
    enabled: seesKeys,
  })
  if (!health.isAsked && !seesKeys) return null
  const current = keys.data?.items.filter(({ state }) => state === 'current') ?? []
  return (
    <Card
      title={say(home.health)}
      actions={
        health.isAsked ? (
          <ButtonLink size="small" to="/settings">
            {say(home.checks)}
          </ButtonLink>
        ) : undefined
      }
    >
      <dl className="health">
        {health.isAsked ? <ServerFigures health={health.data} failed={health.isError} /> : null}
        {seesKeys ? (
          <Figure name={say(home.keyAge)}>
            {keys.data === undefined ? <Skeleton width="8rem" /> : <KeyAge current={current} />}
          </Figure>
        ) : null}
      </dl>
    </Card>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ServerFigures({ health, failed }: { readonly health: HealthReport | undefined; readonly failed: boolean }) {
  const say = useSay()
  const wait = <Skeleton width="6rem" />
  const state = health?.ok === true && health.findings.every((it) => it.state === 'ok') ? 'good' : 'look'
  const p95 = health?.node.token_p95_seconds ?? null
  return (
    <>
      <Figure name={say(home.server)}>
        {failed || health?.ok === false ? (
          <Badge tone="danger">{say(home.broken)}</Badge>
        ) : health === undefined ? (
          wait
        ) : (
          <Badge tone={state === 'good' ? 'done' : 'warning'}>{say(state === 'good' ? home.good : home.some)}</Badge>
        )}
      </Figure>
      <Figure name={say(home.p95)}>
        {health === undefined ? wait : p95 === null ? '–' : say(home.milliseconds, { n: milliseconds(p95) })}
      </Figure>
      <Figure name={say(home.running)}>{health === undefined ? wait : <Moment at={health.node.started_at} />}</Figure>
    </>
  )
}

const milliseconds = (seconds: number): number => Number((seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0))

function KeyAge({ current }: { readonly current: readonly Key[] }) {
  const say = useSay()
  const [oldest] = current.toSorted((one, other) => one.activates_at.localeCompare(other.activates_at))
  if (oldest === undefined) return <span className="muted">{say(home.noKey)}</span>
  return (
    <PageLink to="/keys">
      {oldest.alg}, <Moment at={oldest.activates_at} />
    </PageLink>
  )
}
