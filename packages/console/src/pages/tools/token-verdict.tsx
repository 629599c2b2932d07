/** Whether a token counts: its signature by the key set of this issuer, its issuer, its time. */
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { inspector } from '../../messages/tools.ts'
import { Badge, Card, Facts, Notice, type Tone } from '../../ui/content.tsx'
import { useNow } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { metadataOf } from './http.ts'
import { type Jwt, type Timing, timingOf, type Verdict, verdictOn } from './jwt.ts'

const signatureWords = {
  valid: inspector.signatureValid,
  invalid: inspector.signatureInvalid,
  'no-key': inspector.signatureNoKey,
  unsupported: inspector.signatureUnsupported,
  none: inspector.signatureNone,
} as const satisfies Readonly<Record<Verdict, unknown>>

const timeWords = {
  expired: inspector.expired,
  'not-yet': inspector.notYet,
  current: inspector.current,
  'no-end': inspector.noEnd,
} as const satisfies Readonly<Record<Timing, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '–')

async function readKeys(issuer: string): Promise<readonly JsonWebKey[]> {
  const { jwks_uri: uri } = await metadataOf(issuer)
  const answer = await fetch(uri ?? '', { credentials: 'omit' })
  if (!answer.ok) throw new Error(String(answer.status))
  return ((await answer.json()) as { readonly keys: readonly JsonWebKey[] }).keys
}

export function TokenVerdict({ jwt }: { readonly jwt: Jwt }) {
  const say = useSay()
  const { place } = useConsole()
  const now = useNow()
  const keys = useQuery({ queryKey: ['key-set', place.issuer], queryFn: () => readKeys(place.issuer) })
  const { data: signature } = useQuery({
    queryKey: ['verdict', jwt.signed, jwt.signature.toString(), keys.dataUpdatedAt],
    queryFn: () => verdictOn(jwt, keys.data ?? []),
    enabled: keys.data !== undefined,
    // A token is not kept longer than the page shows it.
    gcTime: 0,
  })
  const timing = timingOf(jwt.payload, now)
  const issuer = typeof jwt.payload['iss'] === 'string' ? jwt.payload['iss'] : '–'
  const isOurs = issuer === place.issuer
  const inTime = timing === 'current' || timing === 'no-end'
  const outcome =
    signature === undefined || signature === 'unsupported'
      ? isOurs && inTime
        ? 'undecided'
        : 'bad'
      : signature === 'valid' && isOurs && inTime
        ? 'good'
        : 'bad'
  const kid = textOf(jwt.header['kid'])
  const alg = textOf(jwt.header['alg'])
  const row = (words: string, tone: Tone) => <Badge tone={tone}>{words}</Badge>
  return (
    <Card title={say(inspector.verdict)}>
      <div className="stack-small" aria-live="polite">
        <Notice
          tone={outcome === 'good' ? 'done' : outcome === 'bad' ? 'danger' : 'info'}
          title={say(inspector[outcome])}
        >
          {say(inspector.revocationNote)}
        </Notice>
        <Facts
          facts={[
            [
              say(inspector.signature),
              signature === undefined
                ? row(say(keys.isError ? inspector.keysFailed : inspector.checking), keys.isError ? 'warning' : 'plain')
                : row(
                    say(signatureWords[signature], { kid, alg }),
                    signature === 'valid' ? 'done' : signature === 'unsupported' ? 'warning' : 'danger',
                  ),
            ],
            [
              say(inspector.issuer),
              row(say(isOurs ? inspector.issuerOurs : inspector.issuerOther, { issuer }), isOurs ? 'done' : 'danger'),
            ],
            [say(inspector.time), row(say(timeWords[timing]), inTime ? 'done' : 'danger')],
          ]}
        />
      </div>
    </Card>
  )
}
