/** One step of a walk: what it does, its curl, its answer. */
import { inspector, playground } from '../../messages/tools.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Badge, Card } from '../../ui/content.tsx'
import { Fault, given, TextField } from '../../ui/field.tsx'
import { type Say, useSay } from '../../ui/preferences.tsx'
import { issuedToken, returnOf, type StepName, steps, type Walk } from './flows.ts'
import { curlOf, shownAnswer } from './http.ts'
import type { WalkControl } from './use-walk.ts'

interface StepProps {
  readonly step: StepName
  readonly number: number
  readonly control: WalkControl
  readonly inspect: (token: string) => void
}

export function PlaygroundStep({ step, number, control, inspect }: StepProps) {
  const say = useSay()
  const { title, text, request: requestOf, address: addressOf } = steps[step]
  const { walk, busy, outage } = control
  const request = requestOf?.(walk) ?? null
  const address = addressOf?.(walk) ?? null
  const answer = walk.answers[step]
  const token = answer === undefined ? null : issuedToken({ ...walk, answers: { token: answer } })
  return (
    <Card
      title={`${number}. ${say(title)}`}
      text={say(text)}
      actions={
        <>
          {answer === undefined ? null : (
            <Badge tone={answer.status < 300 ? 'done' : 'danger'}>
              {say(inspector.answerStatus, { status: answer.status })}
            </Badge>
          )}
          {request === null ? null : (
            <Button
              kind="primary"
              icon="play"
              busy={busy === step}
              aria-label={`${say(playground.run)}: ${say(title)}`}
              onClick={() => void control.send(step)}
            >
              {say(playground.run)}
            </Button>
          )}
          {address === null ? null : (
            <a className={buttonClass({ kind: 'primary' })} href={address} target="_blank" rel="noopener noreferrer">
              {say(playground.open)}
            </a>
          )}
        </>
      }
    >
      <div className="stack-small">
        {request === null && address === null ? <p className="muted">{say(playground.waits)}</p> : null}
        {request === null ? null : <Code text={curlOf(request)} label={`${say(playground.curl)}: ${say(title)}`} />}
        {address === null ? null : <Code text={address} label={`${say(playground.address)}: ${say(title)}`} />}
        {step === 'authorize' && address !== null ? (
          <TextField
            label={say(playground.back)}
            hint={say(playground.backHint)}
            value={walk.back}
            onChange={control.setBack}
            {...given({ fault: backFault(walk, say) })}
          />
        ) : null}
        {outage === step ? <Fault>{say(playground.outage)}</Fault> : null}
        <div aria-live="polite" className="stack-small">
          {answer === undefined ? null : (
            <Code text={shownAnswer(answer)} label={say(playground.answerOf, { step: say(title) })} />
          )}
          {token === null ? null : (
            <div>
              <Button size="small" icon="search" onClick={() => inspect(token)}>
                {say(playground.inspect)}
              </Button>
            </div>
          )}
        </div>
      </div>
    </Card>
  )
}

function backFault(walk: Walk, say: Say): string | undefined {
  const back = returnOf(walk)
  if (back === null) return undefined
  if (back.error !== null) return say(playground.backError, { error: back.error })
  if (back.code === null) return say(playground.backFault)
  return back.isOfThisWalk ? undefined : say(playground.backState)
}
