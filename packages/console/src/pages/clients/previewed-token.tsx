/** A token as it would be: what is plain about it first, then all its claims, and what it would lack and why. */
import { preview } from '../../messages/clients.ts'
import type { Words } from '../../messages/words.ts'
import { Code } from '../../ui/code.tsx'
import { Card, Chips, type Fact, Facts, Notice } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ScopeChain, type ScopeStep } from './scope-chain.tsx'

type Claims = Readonly<Record<string, unknown>>

export interface Preview {
  readonly format: 'jwt' | 'opaque'
  readonly typ: string
  readonly claims: Claims
  readonly id_token?: Claims
  readonly userinfo?: Claims
  readonly steps: readonly ScopeStep[]
  readonly left_out: readonly { readonly scope: string; readonly why: string }[]
}

const reasons: Readonly<Record<string, Words>> = {
  not_declared: preview.notDeclared,
  not_registered: preview.notRegistered,
  roles_missing: preview.rolesMissing,
  administrators_only: preview.administratorsOnly,
  another_resource: preview.anotherResource,
}

export function PreviewedToken({
  preview: { format, typ, claims, steps, left_out: leftOut, ...signIn },
}: {
  readonly preview: Preview
}) {
  const say = useSay()
  const { aud, sub, scope, exp, iat, cnf } = claims
  const seconds = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : null
  const bound =
    typeof cnf === 'object' && cnf !== null ? ('jkt' in cnf ? preview.boundKey : preview.boundCertificate) : null
  const facts: readonly Fact[] = [
    [say(preview.format), format === 'jwt' ? `JWT (${typ})` : say(preview.opaque)],
    [say(preview.audience), <code key="aud">{String(aud)}</code>],
    [say(preview.subject), <code key="sub">{String(sub)}</code>],
    [
      say(preview.scope),
      <Chips key="scope" items={(typeof scope === 'string' ? scope : '').split(' ').filter((it) => it !== '')} />,
    ],
    ...(seconds === null ? [] : [[say(preview.life), say(preview.seconds, { n: seconds })] as const]),
    [say(preview.binding), say(bound ?? preview.unbound)],
  ]
  const documents = [
    [preview.claims, claims],
    [preview.idToken, signIn.id_token],
    [preview.userinfo, signIn.userinfo],
  ] as const
  return (
    <div className="stack">
      <Card title={say(preview.result)}>
        <div className="stack">
          <Facts facts={facts} />
          {leftOut.length === 0 ? null : (
            <Notice tone="warning" title={say(preview.leftOut)}>
              <ul className="plain-list">
                {leftOut.map(({ scope: name, why }) => (
                  <li key={name}>
                    <code>{name}</code> {reasons[why] === undefined ? why : say(reasons[why])}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
        </div>
      </Card>
      <Card title={say(preview.chain)} text={say(preview.chainText)}>
        <ScopeChain steps={steps} />
      </Card>
      {documents.map(([words, document]) =>
        document === undefined ? null : (
          <Card key={words[0]} title={say(words)}>
            <Code text={JSON.stringify(document, null, 2)} label={say(words)} />
          </Card>
        ),
      )}
    </div>
  )
}
