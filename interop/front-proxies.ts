/** Proxies that end TLS before the server, by the recipes of docs/deploy.md and of the Compose file: Caddy of Debian, and Traefik where it is. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './certificates.ts'
import { ensureDebianProgram } from './debian.ts'
import { listening, stopProgram } from './program.ts'
import { type Folder, temporaryFolder } from './server.ts'

export interface FrontPorts {
  /** Where the proxy listens. */
  readonly people: number
  /** Of the nodes behind it. */
  readonly nodes: readonly number[]
}

export interface FrontProxy {
  readonly name: string
  /** Null where it can be started; else why not. */
  ensure(): string | null
  start(ports: FrontPorts, site: Certificate): Promise<AsyncDisposable>
}

const caddyProgram = '/usr/bin/caddy'
const root = join(import.meta.dirname, '..')

function shownIn(page: string, language: string): string {
  const [, text] =
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(root, page), 'utf8')) ?? []
  if (text === undefined) throw new Error(`${page} has no recipe in ${language}`)
  return text
}

function filesOf(site: Certificate): Folder {
  const folder = temporaryFolder()
  folder.write('site.pem', site.cert)
  folder.write('site.key', site.key)
  return folder
}

/** The recipe with a certificate of its own: nobody here could prove the name to those that give them out. */
async function startCaddy(recipe: string, ports: FrontPorts, site: Certificate): Promise<AsyncDisposable> {
  const folder = filesOf(site)
  const address = `https://localhost:${ports.people}`
  const tls = `${address} {\n\ttls ${folder.path}/site.pem ${folder.path}/site.key\n\tbind 127.0.0.1`
  const around = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n'
  const text = around + recipe.replace(/^(?:login\.example|\{\$ISSUER\}) \{/m, tls)
  const flags = ['run', '--adapter', 'caddyfile', '--config', folder.write('Caddyfile', text)]
  const env = { ...process.env, HOME: folder.path }
  const child = spawn(caddyProgram, flags, { stdio: 'ignore', env })
  await listening('Caddy', ports.people, child)
  return { [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}

const ensureCaddy = (): string | null =>
  ensureDebianProgram({ name: 'Caddy', packages: 'caddy', files: [caddyProgram] })

const caddy: FrontProxy = {
  name: 'Caddy',
  ensure: ensureCaddy,
  start: (ports, site) =>
    startCaddy(
      shownIn('docs/deploy.md', 'caddyfile').replaceAll('127.0.0.1:8443', `127.0.0.1:${ports.nodes[0]}`),
      ports,
      site,
    ),
}

const caddyOfCompose: FrontProxy = {
  name: 'Caddy as the Compose file has it',
  ensure: ensureCaddy,
  start: (ports, site) =>
    startCaddy(
      readFileSync(join(root, 'deploy/compose/Caddyfile'), 'utf8').replaceAll(
        /grantor-(\d):8443/g,
        (_, number: string) => `127.0.0.1:${ports.nodes[Number(number) - 1] ?? ports.nodes[0]}`,
      ),
      ports,
      site,
    ),
}

const traefik: FrontProxy = {
  name: 'Traefik',
  ensure() {
    try {
      execFileSync('traefik', ['version'], { stdio: 'ignore' })
      return null
    } catch {
      return 'Traefik: not here; no package that the tests can get has it'
    }
  },
  async start(ports, site) {
    const folder = filesOf(site)
    const recipe = shownIn('docs/deploy.md', 'yaml')
      .replace('login.example', 'localhost')
      .replace('tls: { certResolver: letsencrypt }', 'tls: {}')
      .replace('127.0.0.1:8443', `127.0.0.1:${ports.nodes[0]}`)
    const certificates = `tls:\n  certificates: [{ certFile: ${folder.path}/site.pem, keyFile: ${folder.path}/site.key }]\n`
    const file = folder.write('dynamic.yaml', recipe + certificates)
    const flags = [`--providers.file.filename=${file}`, `--entryPoints.websecure.address=127.0.0.1:${ports.people}`]
    const child = spawn('traefik', [...flags, '--log.level=ERROR'], { stdio: 'ignore' })
    await listening('Traefik', ports.people, child)
    return { [Symbol.asyncDispose]: () => stopProgram(child, folder) }
  },
}

export const frontProxies: readonly FrontProxy[] = [caddy, caddyOfCompose, traefik]
