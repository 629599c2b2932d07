/** Programs that Debian packages: brought where that is possible. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export interface DebianProgram {
  /** As a person reads it. */
  readonly name: string
  readonly packages: string
  /** Files that are there once it is installed. */
  readonly files: readonly string[]
}

/** Null where it is there, or was put there; else why its tests are skipped. */
export function ensureDebianProgram({ name, packages, files }: DebianProgram): string | null {
  const isThere = (): boolean => files.every((file) => existsSync(file))
  if (isThere()) return null
  const line = `apt-get update && apt-get install -y --no-install-recommends ${packages}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `${name}: not here; on Debian: ${line}`
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('sh', ['-c', line], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 5 * 60_000 })
  } catch {
    return `${name}: could not be installed by: ${line}`
  }
  return isThere() ? null : `${name}: apt-get installed ${packages}, but not where Debian puts them`
}
