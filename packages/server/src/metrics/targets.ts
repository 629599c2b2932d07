/** The operating targets, and whether a server's own metrics since its start meet them. */

/** `bound`: seconds or a share, as maximum or minimum. The alert rules of deploy/prometheus use the same values. */
export const operatingTargets = {
  issuance: { says: 'of requests for tokens that could succeed, at least 99.9 % do', bound: 0.999 },
  validation: { says: 'the validity of a token is known within 100 ms, for 95 of 100', bound: 0.1 },
  revocation: { says: 'a revoked token is refused everywhere within 60 s', bound: 60 },
  unauthorized: { says: 'at most 0.1 % of all requests are answered with 401', bound: 0.001 },
  server_errors: { says: 'at most 0.01 % of all requests are answered with 5xx', bound: 0.0001 },
  availability: { says: 'ready for 99.9 % of the time', bound: 0.999 },
  response_time: { says: 'answered within 300 ms, for 95 of 100', bound: 0.3 },
} as const

export type TargetName = keyof typeof operatingTargets

export interface TargetState {
  readonly target: TargetName
  /** Null where nothing was counted yet, or the server does not count it. */
  readonly met: boolean | null
  /** The measured value as text for people. */
  readonly measured: string
}

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Judges the text of the management listener's /metrics. */
export function judgeTargets(text: string): readonly TargetState[] {
  const samples = readSamples(text)
  const requests = samples.filter(({ name }) => name === 'grantor_http_requests_total')
  const count = (route: string | null, status: RegExp): number =>
    sum(
      requests.filter(
        ({ labels }) => (route ?? labels['route']) === labels['route'] && status.test(labels['status'] ?? ''),
      ),
    )
  const all = count(null, /./)
  const issued = count('/token', /^2/)
  const asked = issued + count('/token', /^5/)
  const ready = samples.find(({ name }) => name === 'grantor_ready')?.value
  return [
    atLeast('issuance', asked === 0 ? null : issued / asked, `${issued} of ${asked} requests`),
    within('validation', quantile(samples, '/introspect'), 'at /introspect'),
    {
      target: 'revocation',
      met: null,
      measured: 'measured by the APIs that accept tokens, as rs_revocation_lag_seconds',
    },
    atMost('unauthorized', all === 0 ? null : count(null, /^401$/) / all, `${count(null, /^401$/)} of ${all} requests`),
    atMost('server_errors', all === 0 ? null : count(null, /^5/) / all, `${count(null, /^5/)} of ${all} requests`),
    {
      target: 'availability',
      met: ready === undefined ? null : ready === 1,
      measured: ready === undefined ? 'not said' : ready === 1 ? 'ready now' : 'not ready now',
    },
    within('response_time', quantile(samples, null), 'at all routes'),
  ]
}

const percent = (share: number): string => `${Number((100 * share).toFixed(3))} %`

const atLeast = (target: TargetName, share: number | null, of: string): TargetState =>
  share === null
    ? none(target)
    : { target, met: share >= operatingTargets[target].bound, measured: `${percent(share)}, ${of}` }

const atMost = (target: TargetName, share: number | null, of: string): TargetState =>
  share === null
    ? none(target)
    : { target, met: share <= operatingTargets[target].bound, measured: `${percent(share)}, ${of}` }

const within = (target: TargetName, seconds: number | null, where: string): TargetState =>
  seconds === null
    ? none(target)
    : {
        target,
        met: seconds <= operatingTargets[target].bound,
        measured: `95 of 100 within ${Math.round(1000 * seconds)} ms ${where}`,
      }

const none = (target: TargetName): TargetState => ({ target, met: null, measured: 'nothing to judge by yet' })

const sum = (samples: readonly Sample[]): number => samples.reduce((total, { value }) => total + value, 0)

/** Like Prometheus: assumes that values are spread evenly within a bucket. */
function quantile(samples: readonly Sample[], route: string | null, share = 0.95): number | null {
  const buckets = new Map<number, number>()
  for (const { name, labels, value } of samples) {
    if (name !== 'grantor_http_request_duration_seconds_bucket' || (route ?? labels['route']) !== labels['route'])
      continue
    const upTo = labels['le'] === '+Inf' ? Infinity : Number(labels['le'])
    buckets.set(upTo, (buckets.get(upTo) ?? 0) + value)
  }
  const sorted = [...buckets].toSorted(([a], [b]) => a - b)
  const total = sorted.at(-1)?.[1] ?? 0
  if (total === 0) return null
  const wanted = total * share
  const at = sorted.findIndex(([, below]) => below >= wanted)
  const [upTo, below] = sorted[at] ?? [Infinity, total]
  const [from, before] = sorted[at - 1] ?? [0, 0]
  return upTo === Infinity ? from : from + ((upTo - from) * (wanted - before)) / (below - before)
}

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

const readSamples = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((each) => {
    const [, name, labels = '', value] = line.exec(each) ?? []
    if (name === undefined) return []
    return [
      {
        name,
        value: Number(value),
        labels: Object.fromEntries([...labels.matchAll(label)].map(([, key, of]) => [key, of])),
      },
    ]
  })
