/** A token is pasted, and the page says what the API would: it is kept nowhere, not even over a sign-in. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { faultsOf } from '../../app/forms/use-form.ts'
import { apis, tokenTest } from '../../messages/apis.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Card, Notice } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, TextAreaField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { bareToken } from '../tools/jwt.ts'

interface Verdict {
  readonly accepted: boolean
  readonly proof?: 'dpop' | 'certificate'
  readonly status?: number
  readonly code?: string
  readonly says?: string
  readonly claims?: object
}

interface TestState {
  readonly busy: boolean
  readonly verdict: Verdict | null
  readonly fault: string | undefined
}

export function TokenTest({ id }: { readonly id: string }) {
  const say = useSay()
  const { api } = useConsole()
  const [token, setToken] = useState('')
  const [{ busy, verdict, fault }, setState] = useState<TestState>({ busy: false, verdict: null, fault: undefined })
  const test = async (): Promise<void> => {
    const sent = bareToken(token)
    if (sent === '') return setState({ busy: false, verdict: null, fault: say(tokenTest.needed) })
    setState({ busy: true, verdict: null, fault: undefined })
    try {
      const path = { id }
      const answer = await answered(
        api.POST('/v1/resources/{id}/test-token', { params: { path }, body: { token: sent } }),
      )
      setState({ busy: false, verdict: answer as Verdict, fault: undefined })
    } catch (error) {
      setState({ busy: false, verdict: null, fault: [...faultsOf(error, say).values()].join(' ') || undefined })
    }
  }
  return (
    <div className="stack">
      <form onSubmit={sending(() => void test())} noValidate>
        <Card
          title={say(apis.tabTest)}
          text={say(tokenTest.text)}
          footer={
            <Button type="submit" kind="primary" busy={busy}>
              {say(tokenTest.test)}
            </Button>
          }
        >
          <TextAreaField
            label={say(tokenTest.token)}
            hint={say(tokenTest.tokenHint)}
            value={token}
            onChange={setToken}
            {...given({ fault })}
          />
        </Card>
      </form>
      <div aria-live="polite">{verdict === null ? null : <VerdictCard verdict={verdict} />}</div>
    </div>
  )
}

function VerdictCard({ verdict }: { readonly verdict: Verdict }) {
  const say = useSay()
  const { accepted, proof, status = 0, code = '', says, claims } = verdict
  const words = { dpop: tokenTest.acceptedProof, certificate: tokenTest.acceptedCertificate }
  return (
    <div className="stack">
      {accepted ? (
        <Notice tone="done" title={say(tokenTest.accepted)}>
          {proof === undefined ? null : say(words[proof])}
        </Notice>
      ) : (
        <Notice tone="danger" title={say(tokenTest.refused, { status, code })}>
          {says}
        </Notice>
      )}
      {claims === undefined ? null : (
        <Card title={say(tokenTest.claims)}>
          <Code text={JSON.stringify(claims, null, 2)} label={say(tokenTest.claims)} />
        </Card>
      )}
    </div>
  )
}
