/** The chart of propagation: how long a revocation takes to reach all validators, by their number. */
import { curveChart } from './curves.ts'

export interface Propagated {
  readonly validators: number
  readonly from_asking_ms: { readonly p50: number; readonly p99: number; readonly most: number }
}

export function propagationPicture(
  results: readonly Propagated[],
  { revocations, processes }: { readonly revocations: number; readonly processes: number },
): string {
  const curve = (label: 'p50' | 'p99' | 'most', ours: boolean) => ({
    label,
    ours,
    points: results.map((one) => ({ x: one.validators, y: one.from_asking_ms[label] })),
  })
  return curveChart({
    title: 'From asking for a revocation until a validator refuses the token',
    subtitle: `One server on SQLite, validators in at most ${processes} processes beside it, TLS; ${revocations} revocations for each number`,
    xUnit: 'validators on one machine',
    yUnit: 'milliseconds; less is better',
    curves: [curve('most', false), curve('p99', true), curve('p50', true)],
    marks: [
      { y: 50, label: 'target of p50: 50 ms' },
      { y: 1_000, label: 'target of p99: 1 s' },
    ],
  })
}
