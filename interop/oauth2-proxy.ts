/** oauth2-proxy, built from the Go module proxy where there is a Go to build it with, started on a given port. */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answering, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const version = 'v7.15.2'
const module = `github.com/oauth2-proxy/oauth2-proxy/v7@${version}`
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', `oauth2-proxy-${version}`)
const program = join(cache, 'oauth2-proxy')

/** Null where it is there, or was built; else why its tests are skipped. */
export function ensureOAuth2Proxy(): string | null {
  if (existsSync(program)) return null
  const source = join(cache, 'source')
  mkdirSync(source, { recursive: true })
  const env = { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' }
  const go = (args: readonly string[], cwd: string): string =>
    execFileSync('go', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10 * 60_000 })
  try {
    const { Dir: folder } = JSON.parse(go(['mod', 'download', '-json', module], cache)) as { readonly Dir: string }
    // Built where its own go.mod is, as its makers build it: `go install` would choose other versions.
    cpSync(folder, source, { recursive: true })
    go(['build', '-o', program, '.'], source)
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return `oauth2-proxy is not here, and Go did not build ${module}`
  }
}

export interface OAuth2Proxy extends AsyncDisposable {
  readonly origin: string
}

/** Before an upstream that answers 200 to everything; `flags` are those of the provider. */
export async function startOAuth2Proxy(
  { port, ca }: { readonly port: number; readonly ca: string },
  flags: readonly string[],
): Promise<OAuth2Proxy> {
  const folder = temporaryFolder()
  const origin = `http://127.0.0.1:${port}`
  const all = [
    `--http-address=127.0.0.1:${port}`,
    `--provider-ca-file=${folder.write('ca.pem', ca)}`,
    '--cookie-secret=a-key-of-32-bytes-for-this-test!',
    '--cookie-secure=false',
    '--skip-provider-button=true',
    '--set-xauthrequest=true',
    '--upstream=static://200',
    ...flags,
  ]
  const child = spawn(program, all, { stdio: 'ignore' })
  await answering('oauth2-proxy', origin, child)
  return { origin, [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}
