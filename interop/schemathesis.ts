/** Schemathesis (PyPI), which makes requests of an OpenAPI document and holds the answers against it: brought where pip can. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DescribedApi } from './demo-apis.ts'
import { temporaryFolder } from './server.ts'

const version = '4.32.5'
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', `schemathesis-${version}`)
const program = join(cache, 'bin', 'schemathesis')
const settings = join(import.meta.dirname, 'schemathesis')

/** Null where it is there, or was put there; else why its tests are skipped. */
export function ensureSchemathesis(): string | null {
  const runs = (): void => void execFileSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 })
  try {
    if (existsSync(program)) return (runs(), null)
    mkdirSync(cache, { recursive: true })
    execFileSync('python3', ['-m', 'venv', cache], { stdio: 'ignore', timeout: 2 * 60_000 })
    const install = ['-m', 'pip', 'install', '--quiet', `schemathesis==${version}`]
    execFileSync(join(cache, 'bin', 'python'), install, { stdio: 'ignore', timeout: 5 * 60_000 })
    runs()
    return null
  } catch {
    return `Schemathesis is not here, and pip install schemathesis==${version} did not bring one that runs`
  }
}

export interface SchemathesisRun {
  readonly caFile: string
  /** Cases for each operation, and seconds in all. */
  readonly examples: number
  readonly seconds: number
}

export interface SchemathesisResult {
  readonly code: number | null
  readonly output: string
}

/** All of its checks and phases, the stateful one among them. */
export async function runSchemathesis(
  { origin, token }: DescribedApi,
  { caFile, examples, seconds }: SchemathesisRun,
): Promise<SchemathesisResult> {
  using folder = temporaryFolder()
  const flags = {
    header: `Authorization: Bearer ${token}`,
    'tls-verify': caFile,
    // Quotas are part of what is described: it waits as it is told to.
    'rate-limit': 'auto',
    'max-examples': String(examples),
    'max-time': String(seconds),
    'request-timeout': '60',
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const config = ['--config-file', join(settings, 'schemathesis.toml')]
  const child = spawn(
    program,
    [...config, 'run', `${origin}/openapi.json`, '--no-color', '--continue-on-failure', ...args],
    {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        PYTHONPATH: settings,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
