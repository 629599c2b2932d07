/** The table of the cost of a request for each contestant, and the limits for ours. */
import { rounded } from '../statistics.ts'
import { names } from './contestants.ts'

export interface ComparedCost {
  readonly operation: string
  readonly name: string
  readonly server_cpu_us: number
  /** Ratio to the CPU of `oidc-provider`: the median of the ratios within a round. */
  readonly server_to_peer: number
  readonly database_cpu_us: number
  readonly database_to_peer: number
}

export function peersTable(costs: readonly ComparedCost[]): string {
  const columns = [...new Set(costs.map(({ name }) => name))]
  const operations = [...new Set(costs.map(({ operation }) => operation))]
  const cell = (operation: string, name: string): string => {
    const it = costs.find((one) => one.operation === operation && one.name === name)
    if (it === undefined) return '–'
    const apart = it.database_cpu_us === 0 ? '' : ` + ${it.database_cpu_us} µs (${it.database_to_peer} ×)`
    return `${it.server_cpu_us} µs (${it.server_to_peer} ×)${apart}`
  }
  return [
    `| CPU of a server, + of its database | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...operations.map((it) => `| ${it} | ${columns.map((name) => cell(it, name)).join(' | ')} |`),
  ].join('\n')
}

export interface Multiple {
  readonly name: string
  readonly sqlite: number
  /** The same ratio including the CPU of our database. */
  readonly postgres: number
}

/** Contestants that are measured without us, in turns with `oidc-provider` only. */
export const apart: readonly string[] = [names.keycloak, names.betterAuth]

/** How many times our CPU the others take for a token; both are compared with `oidc-provider` in their own rounds. */
export function tokenMultiples(costs: readonly ComparedCost[]): readonly Multiple[] {
  const of = (name: string): ComparedCost | undefined =>
    costs.find((it) => it.operation === 'token' && it.name === name)
  const ours = (name: string): number => {
    const it = of(name)
    return it === undefined ? Number.NaN : it.server_to_peer + it.database_to_peer
  }
  return apart.flatMap((name) => {
    const theirs = of(name)?.server_to_peer
    if (theirs === undefined) return []
    return [{ name, sqlite: rounded(theirs / ours(names.sqlite)), postgres: rounded(theirs / ours(names.postgres)) }]
  })
}

export const multiplesTable = (multiples: readonly Multiple[]): string =>
  [
    `| a token, × Grantor's CPU | SQLite | PostgreSQL and its database |`,
    '|---|---|---|',
    ...multiples.map(({ name, sqlite, postgres }) => `| ${name} | ${sqlite} | ${postgres} |`),
  ].join('\n')

interface Bounds {
  readonly sqlite: number
  readonly postgres: number
  readonly database: number
}

const bounds: Readonly<Record<string, Bounds>> = {
  refresh: { sqlite: 0.65, postgres: 0.9, database: 0.5 },
  introspection: { sqlite: 0.9, postgres: 1.1, database: 0.4 },
  token: { sqlite: 0.5, postgres: 0.5, database: 0.3 },
}
const idleBound = 110
const multipleBound = 12

export function targetsOf(
  costs: readonly ComparedCost[],
  idle: Readonly<Record<string, number>>,
): Readonly<Record<string, boolean>> {
  const of = (operation: string, name: string): ComparedCost | undefined =>
    costs.find((it) => it.operation === operation && it.name === name)
  const targets: Record<string, boolean> = {}
  for (const operation of new Set(costs.map((it) => it.operation))) {
    const [sqlite, postgres] = [of(operation, names.sqlite), of(operation, names.postgres)]
    const bound = bounds[operation] ?? { sqlite: 1, postgres: 1, database: Infinity }
    targets[`${operation}: SQLite at most ${bound.sqlite} × oidc-provider`] =
      (sqlite?.server_to_peer ?? Infinity) <= bound.sqlite
    targets[`${operation}: PostgreSQL at most ${bound.postgres} × oidc-provider`] =
      (postgres?.server_to_peer ?? Infinity) <= bound.postgres
    if (bound.database < Infinity)
      targets[`${operation}: its database at most ${bound.database} × oidc-provider`] =
        (postgres?.database_to_peer ?? Infinity) <= bound.database
    for (const name of apart) {
      const other = of(operation, name)
      if (other !== undefined)
        targets[`${operation}: ahead of ${name}`] = (sqlite?.server_cpu_us ?? Infinity) < other.server_cpu_us
    }
  }
  for (const { name, sqlite, postgres } of tokenMultiples(costs)) {
    targets[`token: ${name} at least ${multipleBound} × Grantor on SQLite`] = sqlite >= multipleBound
    targets[`token: ${name} at least ${multipleBound} × Grantor on PostgreSQL and its database`] =
      postgres >= multipleBound
  }
  targets[`idle memory at most ${idleBound} MiB`] = (idle[names.sqlite] ?? Infinity) <= idleBound
  return targets
}
