/** Asks the server what a token is worth, as a client that may ask (RFC 7662). */
import { useState } from 'react'
import { useConsole } from '../../app/console-context.ts'
import { inspector, playground } from '../../messages/tools.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Card } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { Fault, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { curlOf, metadataOf, type PlainAnswer, type PlainRequest, sendPlain, shownAnswer } from './http.ts'

export function Introspection({ token }: { readonly token: string }) {
  const say = useSay()
  const { place } = useConsole()
  // No draft is kept of these: one is a secret.
  const [user, setUser] = useState({ id: '', secret: '' })
  const [answer, setAnswer] = useState<PlainAnswer | 'outage' | 'busy' | null>(null)
  const requestTo = (url: string): PlainRequest => ({ method: 'POST', url, form: { token }, user })
  const ask = async (): Promise<void> => {
    setAnswer('busy')
    try {
      const { introspection_endpoint: url = '' } = await metadataOf(place.issuer)
      setAnswer(await sendPlain(requestTo(url)))
    } catch {
      setAnswer('outage')
    }
  }
  const isAnswer = answer !== null && typeof answer === 'object'
  return (
    <Card title={say(inspector.ask)} text={say(inspector.askText)}>
      <form className="stack-small" onSubmit={sending(() => void ask())} noValidate>
        <div className="form-grid">
          <TextField
            label={say(inspector.clientId)}
            value={user.id}
            onChange={(id) => setUser((before) => ({ ...before, id }))}
          />
          <TextField
            label={say(inspector.clientSecret)}
            type="password"
            value={user.secret}
            onChange={(secret) => setUser((before) => ({ ...before, secret }))}
          />
        </div>
        <div className="row">
          <Button type="submit" kind="primary" busy={answer === 'busy'} disabled={user.id === ''}>
            {say(inspector.askAction)}
          </Button>
          {answer === 'outage' ? <Fault>{say(playground.outage)}</Fault> : null}
        </div>
        <div aria-live="polite" className="stack-small">
          {isAnswer ? (
            <>
              <h3>{say(inspector.answerStatus, { status: answer.status })}</h3>
              <Code text={shownAnswer(answer)} label={say(inspector.answer)} />
              <h3>{say(playground.curl)}</h3>
              <Code text={curlOf(requestTo(`${place.issuer}/introspect`))} label={say(playground.curl)} />
            </>
          ) : null}
        </div>
      </form>
    </Card>
  )
}
