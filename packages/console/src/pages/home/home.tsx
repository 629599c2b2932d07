/** The start page: what to do first, what wants attention, and what happened in a day. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { ButtonLink } from '../../app/link.tsx'
import { home } from '../../messages/home.ts'
import { Card, PageHeader, Skeleton } from '../../ui/content.tsx'
import { Plot } from '../../ui/plot.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { Health } from './health.tsx'
import { type Day, dayOf } from './statistics.ts'

/** Counts are read again this often while the page is open. */
const every = 30_000

export function Page() {
  const say = useSay()
  const { api, place, session } = useConsole()
  const counted = useQuery({
    queryKey: ['/v1/statistics', 'day'],
    queryFn: () => readPage(api, '/v1/statistics', { step: 'hour' }),
    refetchInterval: every,
    enabled: session.may('admin:statistics:read'),
  })
  const day = useMemo(() => (counted.data === undefined ? null : dayOf(counted.data.items)), [counted.data])
  return (
    <>
      <PageHeader title={say(home.title)} text={say(home.text, { issuer: place.issuer })} />
      <div className="stack">
        <Checklist day={day} />
        <Attention day={day} />
        <Health />
        {session.may('admin:statistics:read') ? (
          counted.isError && day === null ? (
            <PageFault error={counted.error} retry={() => void counted.refetch()} />
          ) : (
            <Counts day={day} />
          )
        ) : null}
      </div>
    </>
  )
}

function Counts({ day }: { readonly day: Day | null }) {
  const say = useSay()
  const plots = useMemo(() => {
    if (day === null) return null
    const line = (name: string, series: Parameters<Day['valuesOf']>[0], colour: number) => ({
      name,
      values: day.valuesOf(series),
      colour,
    })
    return {
      tokens: [
        line(say(home.issued), 'issued', 1),
        line(say(home.refreshed), 'refreshed', 2),
        line(say(home.refused), 'refused', 4),
        line(say(home.revoked), 'revoked', 3),
      ],
      people: [
        line(say(home.signedIn), 'signed_in', 1),
        line(say(home.signInFailed), 'sign_in_failed', 4),
        line(say(home.signedOut), 'signed_out', 5),
      ],
    }
  }, [day, say])
  return (
    <>
      <div className="columns">
        {(['tokens', 'people'] as const).map((name) => (
          <Card key={name} title={say(home[name])}>
            {plots === null || day === null ? (
              <div className="plot-canvas">
                <Skeleton width="100%" />
              </div>
            ) : (
              <Plot label={say(home[name])} times={day.times} series={plots[name]} />
            )}
          </Card>
        ))}
      </div>
      {day === null || day.reasonsOf('refused').length === 0 ? null : <Refusals day={day} />}
    </>
  )
}

/** As many as there are colours; what is rarer is found in the log. */
const mostReasons = 5

function Refusals({ day }: { readonly day: Day }) {
  const say = useSay()
  const series = useMemo(
    () =>
      day
        .reasonsOf('refused')
        .slice(0, mostReasons)
        .map(({ reason, values }, at) => ({ name: reason, values, colour: at + 1 })),
    [day],
  )
  return (
    <Card
      title={say(home.refusals)}
      actions={
        <ButtonLink size="small" to="/audit" search={{ name: 'client.refused' }}>
          {say(home.look)}
        </ButtonLink>
      }
    >
      <Plot label={say(home.refusals)} times={day.times} series={series} />
    </Card>
  )
}
