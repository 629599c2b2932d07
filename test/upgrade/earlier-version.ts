/** An earlier version of this repository, taken from its history: its sources, over the libraries that are installed here. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Folder, temporaryFolder } from '../../interop/server.ts'

const root = join(import.meta.dirname, '../..')

/**
 * `beside`: the first whose nodes outlive a migration of a newer one (before it they answered 500 after a column was
 * added). `before`: the last with schema 34, for a database that one process has at a time.
 */
export type WhichVersion = 'beside' | 'before'
const commits = JSON.parse(readFileSync(join(import.meta.dirname, 'earlier-commits.json'), 'utf8')) as Readonly<
  Record<WhichVersion, string>
>

export interface EarlierVersion extends Disposable {
  /** Its `grantor`, for `startServer` and `runCommand`. */
  readonly command: string
  /** The last migration that it knows. */
  readonly schema: number
}

export function unpackEarlierVersion(which: WhichVersion): EarlierVersion {
  const folder = temporaryFolder()
  const sources = archive(commits[which])
  execFileSync('tar', ['-x', '-C', folder.path], { input: sources, maxBuffer: sources.length })
  linkLibraries(folder)
  return {
    command: join(folder.path, 'packages/cli/bin/grantor.js'),
    schema: readdirSync(join(folder.path, 'packages/store/src/schema/postgres')).length,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

function archive(commit: string): Buffer {
  try {
    return execFileSync('git', ['archive', commit, 'packages', 'package.json'], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (cause) {
    const fix = 'fetch the whole history (git fetch --unshallow)'
    throw new Error(`the history of this clone has no commit ${commit}: ${fix}`, { cause })
  }
}

/** Its own packages by their names, and everything else as it is here. */
function linkLibraries({ path }: Folder): void {
  const modules = join(path, 'node_modules')
  mkdirSync(join(modules, '@grantor'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@grantor' && name !== '.cache' && name !== 'grantor')
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(path, 'packages'))) {
    symlinkSync(join(path, 'packages', name), join(modules, '@grantor', name))
    const own = join(root, 'packages', name, 'node_modules')
    if (readdirSync(join(root, 'packages', name)).includes('node_modules'))
      symlinkSync(own, join(path, 'packages', name, 'node_modules'))
  }
}
