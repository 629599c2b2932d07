/** The checks of the server, each with its finding, and with what to do where it is not good. */
import { settings } from '../../messages/operate.ts'
import { Badge, Card, type Tone } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Words } from '../../messages/words.ts'
import { type Finding, useHealth } from './checks.ts'

const states: Readonly<Record<Finding['state'], readonly [tone: Tone, words: Words]>> = {
  ok: ['done', settings.checkOk],
  warn: ['warning', settings.checkWarn],
  fail: ['danger', settings.checkFail],
}

export function ChecksCard() {
  const say = useSay()
  const { data } = useHealth()
  if (data === undefined) return null
  return (
    <Card flush title={say(settings.checks)} text={say(settings.checksText)}>
      <ul className="findings">
        {data.findings.map(({ check, state, says, fix }) => (
          <li key={`${check} ${says}`}>
            <Badge tone={states[state][0]}>{say(states[state][1])}</Badge>
            <strong>{check}</strong>
            <span className="muted">
              {says}
              {fix === null ? '' : `. ${fix}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
