/** The claims of a token that people ask for first, in words. */
import { inspector } from '../../messages/tools.ts'
import { Card, Chips, Clip, type Fact, Facts } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Jwt } from './jwt.ts'

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((it): it is string => typeof it === 'string')

/** Undefined where it is no moment that a date can hold. */
function momentOf(seconds: unknown): string | undefined {
  const at = typeof seconds === 'number' ? new Date(seconds * 1000) : null
  return at === null || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export function TokenFacts({ jwt: { header, payload } }: { readonly jwt: Jwt }) {
  const say = useSay()
  const text = (name: string, values: readonly string[]): readonly Fact[] =>
    values.length === 0 ? [] : [[name, <Clip key={name}>{values.join(', ')}</Clip>]]
  const moment = (name: string, at: unknown): readonly Fact[] => {
    const iso = momentOf(at)
    return iso === undefined ? [] : [[name, <Moment key={name} at={iso} />]]
  }
  const scope = texts(payload['scope']).flatMap((it) => it.split(' ').filter((name) => name !== ''))
  return (
    <Card title={say(inspector.facts)}>
      <Facts
        facts={[
          ...text(say(inspector.type), texts(header['typ'])),
          ...text(say(inspector.audience), texts(payload['aud'])),
          ...text(say(inspector.subject), texts(payload['sub'])),
          ...text(say(inspector.client), texts(payload['client_id'] ?? payload['azp'])),
          ...(scope.length === 0 ? [] : [[say(inspector.scope), <Chips key="scope" items={scope} />] as const]),
          ...moment(say(inspector.issued), payload['iat']),
          ...moment(say(inspector.ends), payload['exp']),
          [say(inspector.bound), <Binding key="bound" cnf={payload['cnf']} />],
        ]}
      />
    </Card>
  )
}

/** RFC 7800: the key that has to be proven with the token. */
function Binding({ cnf }: { readonly cnf: unknown }) {
  const say = useSay()
  const { jkt, 'x5t#S256': certificate } = (typeof cnf === 'object' && cnf !== null ? cnf : {}) as {
    readonly jkt?: unknown
    readonly 'x5t#S256'?: unknown
  }
  const [words, thumbprint] =
    typeof jkt === 'string'
      ? [inspector.boundDpop, jkt]
      : typeof certificate === 'string'
        ? [inspector.boundCertificate, certificate]
        : [inspector.boundNone, null]
  return (
    <>
      {say(words)}
      {thumbprint === null ? null : <Clip mono>{thumbprint}</Clip>}
    </>
  )
}
