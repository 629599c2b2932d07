/** What wants attention, each with the way to look into it or to mend it. */
import { ButtonLink, type Way } from '../../app/link.tsx'
import { home } from '../../messages/home.ts'
import { Card, Notice } from '../../ui/content.tsx'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { type Finding, useHealth } from '../settings/checks.ts'
import { type Concern, concernsOf, type Day } from './statistics.ts'

interface Matter {
  readonly id: string
  readonly tone: 'warning' | 'danger'
  readonly title: string
  readonly text: string
  readonly way: Way
}

/** Nothing is shown before it is known, or where it cannot be: a page that calms and then warns is worse than none. */
export function Attention({ day }: { readonly day: Day | null }) {
  const say = useSay()
  const health = useHealth()
  if (day === null || (health.isAsked && health.isPending)) return null
  const matters = [
    ...(health.data?.findings ?? []).filter(({ state }) => state !== 'ok').map((it) => findingMatter(it, say)),
    ...concernsOf(day).map((it) => concernMatter(it, say)),
  ]
  if (matters.length === 0 && health.isError) return null
  if (matters.length === 0)
    return (
      <Notice tone="done" title={say(home.quiet)}>
        <span className="muted">{say(home.quietText)}</span>
      </Notice>
    )
  return (
    <Card title={say(home.attention)}>
      <div className="stack-small">
        {matters.map(({ id, tone, title, text, way }) => (
          <Notice key={id} tone={tone} title={title}>
            <div className="stack-small">
              <span>{text}</span>
              <div>
                <ButtonLink size="small" {...way}>
                  {say(home.look)}
                </ButtonLink>
              </div>
            </div>
          </Notice>
        ))}
      </div>
    </Card>
  )
}

const findingMatter = ({ check, state, says, fix }: Finding, say: Say): Matter => ({
  id: check,
  tone: state === 'fail' ? 'danger' : 'warning',
  title: say(home.finding, { check, says }),
  text: fix ?? '',
  way: { to: check === 'signing keys' ? '/keys' : '/settings' },
})

const words = {
  failures: { title: home.manyFailures, text: home.manyFailuresText, event: 'login.failed' },
  replay: { title: home.replayedOne, text: home.replayedText, event: 'token.replayed' },
  replays: { title: home.replayed, text: home.replayedText, event: 'token.replayed' },
  refusals: { title: home.manyRefusals, text: home.manyRefusalsText, event: 'client.refused' },
} as const

function concernMatter(concern: Concern, say: Say): Matter {
  const { title, text, event } = words[concern.kind === 'replays' && concern.n === 1 ? 'replay' : concern.kind]
  const reason = concern.kind === 'refusals' ? concern.reason : ''
  return {
    id: concern.kind,
    tone: 'warning',
    title: say(title, { n: concern.n }),
    text: say(text, { reason }),
    way: { to: '/audit', search: { name: event } },
  }
}
