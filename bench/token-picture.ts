/** The chart of the token benchmark: CPU per token for each contestant. */
import type { Measured } from './measure.ts'
import { barChart } from './plot.ts'
import { rounded } from './statistics.ts'

export const names = {
  floor: 'floor',
  sqlite: 'Grantor, SQLite',
  postgres: 'Grantor, PostgreSQL',
  peer: 'oidc-provider',
  sqliteBefore: 'Grantor before, SQLite',
  postgresBefore: 'Grantor before, PostgreSQL',
} as const

const notes: Readonly<Record<string, string>> = {
  [names.floor]: 'parse, compare, sign',
  [names.sqlite]: 'audit sealed and on disk',
  [names.postgres]: 'audit in the same commit',
  [names.peer]: 'stores nothing on disk',
}

export function tokenPicture(
  measured: readonly Measured[],
  { connections, rounds }: { readonly connections: number; readonly rounds: number },
): string {
  const shown = measured.filter(({ name }) => notes[name] !== undefined)
  const base = measured.find((one) => one.name === names.floor)?.cpu_us_per_request.median ?? 0
  return barChart({
    title: 'Server CPU for one access token',
    subtitle: `Client credentials, ES256 JWT, plain HTTP keep-alive, ${connections} connections; median, least and most of ${rounds} rounds`,
    unit: 'microseconds of CPU per request, all threads of the server; less is better',
    bars: shown.map((one) => ({
      label: one.name,
      note: notes[one.name] ?? '',
      value: one.cpu_us_per_request,
      ours: one.name.startsWith('Grantor'),
    })),
    mark: { value: rounded(base * 1.3, 0), label: 'target: 1.3 × floor' },
  })
}
