/** The cost of an operation by size: CPU of server and database, ratio to the smallest size, and an extrapolation. */
import { curveChart } from '../curves.ts'
import type { Measured } from '../measure.ts'
import { median, rounded } from '../statistics.ts'

export interface MeasuredOperation {
  readonly operation: string
  /** CPU of the server for each size; the next member is the CPU of the database. */
  readonly server_cpu_us: readonly number[]
  readonly database_cpu_us: readonly number[]
  /** CPU of server and database together. */
  readonly cpu_us: readonly number[]
  /** Ratios to the smallest size: the median of the ratios within a round. */
  readonly ratios: readonly number[]
  /** Ratio to the smallest size at 10⁷ grants; not measured. */
  readonly extrapolated_ratio: number
}

const sought = 1e7

/** `measured` is in the order of the sizes; each is named by its number of grants. */
export function growthOf(operation: string, measured: readonly Measured[]): MeasuredOperation {
  const bySize = measured.toSorted((one, other) => Number(one.name) - Number(other.name))
  const whole = bySize.map((it) => it.cpu_us_by_round.map((cpu, n) => cpu + (it.database_cpu_us_by_round?.[n] ?? 0)))
  const smallest = whole[0] ?? []
  const ratios = whole.map((rounds) => median(rounds.map((cpu, n) => cpu / (smallest[n] ?? Number.NaN))))
  return {
    operation,
    server_cpu_us: bySize.map((it) => it.cpu_us_per_request.median),
    database_cpu_us: bySize.map((it) => it.database_cpu_us_per_request?.median ?? 0),
    cpu_us: whole.map((rounds) => rounded(median(rounds))),
    ratios: ratios.map((ratio) => rounded(ratio, 2)),
    extrapolated_ratio: rounded(
      extrapolated(
        bySize.map((it) => Number(it.name)),
        ratios,
      ),
      2,
    ),
  }
}

/** A tree's depth grows with the logarithm of its size: least squares over log10 of the sizes, at the wanted size. */
export function extrapolated(sizes: readonly number[], ratios: readonly number[]): number {
  const xs = sizes.map(Math.log10)
  const mean = (of: readonly number[]): number => of.reduce((sum, it) => sum + it, 0) / of.length
  const [middleX, middleY] = [mean(xs), mean(ratios)]
  const spreadX = xs.reduce((sum, x) => sum + (x - middleX) ** 2, 0)
  if (spreadX === 0) return middleY
  const slope = xs.reduce((sum, x, n) => sum + (x - middleX) * ((ratios[n] ?? 0) - middleY), 0) / spreadX
  return middleY + slope * (Math.log10(sought) - middleX)
}

interface GrowthResult {
  readonly on: string
  readonly operations: readonly MeasuredOperation[]
  readonly idle: readonly { readonly grants: number }[]
}

/** Requests of clients and people; lists are in the report. */
const drawn = new Set(['token', 'refresh', 'code redemption', 'introspection', 'revoke'])

export const growthPicture = (results: readonly GrowthResult[]): string =>
  curveChart({
    title: 'What an operation costs as the database grows',
    subtitle: 'CPU of server and database together; strong: PostgreSQL, faint: SQLite',
    xUnit: 'live grants',
    yUnit: 'µs of CPU',
    curves: results.flatMap(({ on, operations, idle }) =>
      operations
        .filter(({ operation }) => drawn.has(operation))
        .map(({ operation, cpu_us }) => ({
          label: operation,
          points: cpu_us.map((y, n) => ({ x: idle[n]?.grants ?? 1, y: Math.round(y) })),
          ours: on === 'PostgreSQL',
        })),
    ),
    marks: [],
  })
