/** What the official suite said, kept in `results.json` and shown in docs/conformance.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PlanResult {
  /** The suite's version. */
  readonly suite: string
  readonly plan: string
  readonly variant: Readonly<Record<string, string>>
  readonly modules: { readonly module: string; readonly outcome: string; readonly findings: readonly string[] }[]
}

const file = join(import.meta.dirname, 'results.json')

export const recordedResults = (): readonly PlanResult[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly PlanResult[]) : []

const nameOf = ({ plan, variant }: PlanResult): string =>
  [plan, ...Object.entries(variant).map(([name, value]) => `${name}=${value}`)].join(' ')

/** In place of the last result of the same plan and variant. */
export function recordResult(result: PlanResult): void {
  const others = recordedResults().filter((it) => nameOf(it) !== nameOf(result))
  const all = [...others, result].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
}
