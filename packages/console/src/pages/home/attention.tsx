/** What wants attention, each with the way to look into it. */
import { ButtonLink } from '../../app/link.tsx'
import { home } from '../../messages/home.ts'
import { Card, Notice } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Concern, concernsOf, type Day } from './statistics.ts'

export function Attention({ day }: { readonly day: Day }) {
  const say = useSay()
  const concerns = concernsOf(day)
  if (concerns.length === 0)
    return (
      <Notice tone="done" title={say(home.quiet)}>
        <span className="muted">{say(home.quietText)}</span>
      </Notice>
    )
  return (
    <Card title={say(home.attention)}>
      <div className="stack-small">
        {concerns.map((concern) => (
          <ConcernNotice key={concern.kind} concern={concern} />
        ))}
      </div>
    </Card>
  )
}

const words = {
  failures: { title: home.manyFailures, text: home.manyFailuresText, event: 'login.failed' },
  replays: { title: home.replayed, text: home.replayedText, event: 'token.replayed' },
  refusals: { title: home.manyRefusals, text: home.manyRefusalsText, event: 'client.refused' },
} as const

function ConcernNotice({ concern }: { readonly concern: Concern }) {
  const say = useSay()
  const { title, text, event } = words[concern.kind]
  const reason = concern.kind === 'refusals' ? concern.reason : ''
  return (
    <Notice tone="warning" title={say(title, { n: concern.n })}>
      <div className="stack-small">
        <span>{say(text, { reason })}</span>
        <div>
          <ButtonLink size="small" to="/audit" search={{ name: event }}>
            {say(home.look)}
          </ButtonLink>
        </div>
      </div>
    </Notice>
  )
}
