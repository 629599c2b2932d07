/** A look into a token: what it says, whether this server signed it, and whether it still counts. */
import { inspector } from '../../messages/tools.ts'
import { Code } from '../../ui/code.tsx'
import { Card, Empty, Notice } from '../../ui/content.tsx'
import { Field } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { Introspection } from './introspection.tsx'
import { bareToken, type Jwt, readToken } from './jwt.ts'
import { TokenFacts } from './token-facts.tsx'
import { TokenVerdict } from './token-verdict.tsx'

interface InspectorProps {
  readonly token: string
  readonly onChange: (token: string) => void
}

export function Inspector({ token, onChange }: InspectorProps) {
  const say = useSay()
  const read = readToken(token)
  return (
    <div className="stack">
      <Card>
        <Field label={say(inspector.token)} hint={say(inspector.tokenHint)}>
          {(control) => (
            <textarea
              className="input mono token-input"
              {...control}
              rows={5}
              value={token}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      </Card>
      {read.kind === 'nothing' ? (
        <Card>
          <Empty icon="key" title={say(inspector.nothing)} text={say(inspector.nothingText)} />
        </Card>
      ) : null}
      {read.kind === 'broken' ? (
        <Notice tone="danger" title={say(inspector.broken)}>
          {say(inspector.brokenText)}
        </Notice>
      ) : null}
      {read.kind === 'opaque' || read.kind === 'api-key' ? (
        <Notice title={say(read.kind === 'api-key' ? inspector.apiKey : inspector.opaque)}>
          {say(inspector.opaqueText)}
        </Notice>
      ) : null}
      {read.kind === 'jwt' ? <ReadJwt jwt={read} /> : null}
      {read.kind === 'nothing' || read.kind === 'broken' ? null : <Introspection token={bareToken(token)} />}
    </div>
  )
}

function ReadJwt({ jwt }: { readonly jwt: Jwt }) {
  const say = useSay()
  return (
    <>
      <TokenVerdict jwt={jwt} />
      <div className="columns">
        <TokenFacts jwt={jwt} />
        <Card title={say(inspector.payload)}>
          <Code text={JSON.stringify(jwt.payload, null, 2)} label={say(inspector.payload)} />
        </Card>
        <Card title={say(inspector.header)}>
          <Code text={JSON.stringify(jwt.header, null, 2)} label={say(inspector.header)} />
        </Card>
      </div>
    </>
  )
}
