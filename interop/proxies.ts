/** nginx, Caddy and HAProxy, as Debian packages them: brought where that is possible, started on a free port in front of an API. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { freePort } from './plain-browser.ts'
import { answering, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const programs = {
  nginx: { path: '/usr/sbin/nginx', debian: 'nginx-light' },
  caddy: { path: '/usr/bin/caddy', debian: 'caddy' },
  haproxy: { path: '/usr/sbin/haproxy', debian: 'haproxy' },
} as const

export type ProxyName = keyof typeof programs

/** Null where all are there, or were put there; else why their tests are skipped. */
export function ensureProxies(): string | null {
  const missing = (): string =>
    Object.values(programs)
      .filter(({ path }) => !existsSync(path))
      .map(({ debian }) => debian)
      .join(' ')
  const wanted = missing()
  if (wanted === '') return null
  const line = `apt-get update && apt-get install -y --no-install-recommends ${wanted}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `${wanted}: not here; on Debian: ${line}`
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('sh', ['-c', line], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 5 * 60_000 })
  } catch {
    return `${wanted} could not be installed by: ${line}`
  }
  return missing() === '' ? null : `apt-get installed ${wanted}, but they are not where Debian puts them`
}

export interface ProxyAddresses {
  /** Of the proxy, the gateway and the API. */
  readonly port: number
  readonly gateway: number
  readonly api: number
}

/** The configuration of a proxy as docs/gateway.md shows it, for these ports. */
function shown(language: string, { port, gateway, api }: ProxyAddresses): string {
  const page = readFileSync(new URL('../docs/gateway.md', import.meta.url), 'utf8')
  const text = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1]
  if (text === undefined) throw new Error(`docs/gateway.md shows no ${language}`)
  return text.replaceAll(':8446', `:${gateway}`).replaceAll(':9000', `:${api}`).replaceAll(':8080', `:${port}`)
}

export interface Proxy extends AsyncDisposable {
  readonly origin: string
}

export async function startProxy(name: ProxyName, ports: Omit<ProxyAddresses, 'port'>): Promise<Proxy> {
  const folder = temporaryFolder()
  const addresses = { ...ports, port: await freePort() }
  const { path } = programs[name]
  const flags = {
    nginx: () => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder.path}/${kind};`,
      )
      const text = `pid ${folder.path}/pid;\nerror_log ${folder.path}/error.log;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${shown('nginx', addresses)}\n}\n`
      return ['-e', `${folder.path}/error.log`, '-c', folder.write('nginx.conf', text)]
    },
    caddy: () => {
      const text = `{\n  admin off\n  auto_https off\n}\n${shown('caddy', addresses)}`
      return ['run', '--adapter', 'caddyfile', '--config', folder.write('Caddyfile', text)]
    },
    haproxy: () => {
      const script = folder.write('grantor.lua', shown('lua', addresses))
      const text = shown('haproxy', addresses).replaceAll('/etc/haproxy/grantor.lua', script)
      return ['-db', '-f', folder.write('haproxy.cfg', text)]
    },
  }[name]()
  const child = spawn(path, flags, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HOME: folder.path },
  })
  const origin = `http://127.0.0.1:${addresses.port}`
  await answering(name, origin, child)
  return { origin, [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}
