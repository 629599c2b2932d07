/** What a migration may do, so that a program of the version before can go on beside it (docs/decisions/0019). */
import { type Migration, sinceOf, stageOf } from '../../src/schema/migrations.ts'

/** Those up to here were written before the rules. */
const exempt = 12

/** What the version before would stumble over: what it reads is gone, or what it writes is refused. */
const harmful: Readonly<Record<string, RegExp>> = {
  'drops something': /\bdrop\b/,
  'renames something': /\brename\b/,
  'deletes rows': /\bdelete\s+from\b|\btruncate\b/,
  'changes a column': /\balter\s+(?:column\s+)?\w+\s+(?:set\s+(?:not\s+null|data\s+type)|type)\b/,
  'adds a constraint': /\badd\s+(?:constraint|check|unique|primary|foreign)\b/,
}

export function faultsOf(migrations: readonly Migration[]): readonly string[] {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]))
  return migrations
    .filter(({ number }) => number > exempt)
    .flatMap((migration) => {
      const stage = stageOf(migration.name)
      const since = sinceOf(migration)
      if (stage === null) return ['is named neither expand-… nor contract-<number>-…']
      if (since === null) return ['does not begin with `-- since <version>`']
      if (stage.stage === 'expand') return expandFaults(migration.text)
      const expand = byNumber.get(stage.of)
      if (expand === undefined || stageOf(expand.name)?.stage !== 'expand')
        return [`${stage.of} is no expand migration`]
      return isEarlier(sinceOf(expand) ?? '', since) ? [] : [`does not come a version after ${stage.of}`]
    })
}

const isEarlier = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

function expandFaults(text: string): readonly string[] {
  // A table that makes room for one of its own name, before or after that is made, leaves all who use the name what they had.
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .toLowerCase()
    .replaceAll(/\balter\s+table\s+(\w+)\s+rename\s+to\s+\w+;(?=[^]*\bcreate\s+table\s+\1\s)/g, '')
    .replaceAll(/\bdrop\s+table\s+(\w+);\s*alter\s+table\s+\w+\s+rename\s+to\s+\1;/g, '')
  const made = new Set([...statements.matchAll(/\bcreate\s+table\s+(\w+)/g)].map(([, table]) => table))
  const unique = [...statements.matchAll(/\bcreate\s+unique\s+index\s+\w+\s+on\s+(\w+)/g)].map(([, table]) => table)
  return [
    ...Object.keys(harmful).filter((fault) => harmful[fault]?.test(statements)),
    ...statements
      .split(/[,;]/)
      .filter(isDemanding)
      .map((clause) => `must be given: ${clause.trim()}`),
    ...unique.filter((table) => !made.has(table)).map((table) => `makes ${table} unique by another key`),
  ]
}

const isDemanding = (clause: string): boolean =>
  /\badd\b/.test(clause) && /\bnot\s+null\b/.test(clause) && !/\bdefault\b/.test(clause)
