/** How a provider answers that is asked for security events. */
import { providers } from '../../messages/providers.ts'
import { Badge, Card, type Fact, Facts } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { errorText } from '../webhooks/message-table.tsx'
import type { Provider } from './editable-provider.ts'

/** Nothing of those that push. */
export function PolledSignals({ provider: it }: { readonly provider: Provider }) {
  const say = useSay()
  if (it.signals_url === undefined || it.disabled === true) return null
  const failing = it.signals_failing_since
  const facts: readonly Fact[] = [
    [say(providers.signals), <SignalsBadge key="state" provider={it} />],
    [say(providers.signalsAsked), <Moment key="asked" at={it.signals_asked_at} />],
    [say(providers.signalsReceived), <Moment key="received" at={it.signals_received_at} />],
    ...(failing === undefined
      ? []
      : [[say(providers.signalsFailingSince), <Moment key="failing" at={failing} />] as const]),
    ...(it.signals_error === undefined
      ? []
      : [
          [
            say(failing === undefined ? providers.signalsRefused : providers.signalsError),
            <SignalsError key="error" error={it.signals_error} />,
          ] as const,
        ]),
  ]
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  )
}

/** In words where there are some, and always the word that the documentation has for it. */
function SignalsError({ error }: { readonly error: string }) {
  const text = errorText(error, useSay())
  return (
    <span className="row">
      {text === error ? null : text}
      <span className="mono small">{error}</span>
    </span>
  )
}

function SignalsBadge({ provider: it }: { readonly provider: Provider }) {
  const say = useSay()
  if (it.signals_failing_since !== undefined) return <Badge tone="warning">{say(providers.signalsFailing)}</Badge>
  return it.signals_asked_at === undefined ? (
    <Badge>{say(providers.signalsNotYet)}</Badge>
  ) : (
    <Badge tone="done">{say(providers.signalsWell)}</Badge>
  )
}
