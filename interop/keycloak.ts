/** Keycloak, as Maven Central packages it: brought where Maven can, started with nothing but what is in its memory. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './certificates.ts'
import { freePort } from './plain-browser.ts'
import { answering, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const version = '26.4.0'
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache')
const home = join(cache, `keycloak-${version}`)
const program = join(home, 'bin', 'kc.sh')

/** Null where it is there, or was put there; else why its tests are skipped. */
export function ensureKeycloak(): string | null {
  if (!existsSync(join(home, 'built')) && process.env['GRANTOR_TEST_KEYCLOAK'] === undefined)
    return 'Keycloak is not here; GRANTOR_TEST_KEYCLOAK=1 brings it, which takes some minutes'
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
    if (existsSync(join(home, 'built'))) return null
    mkdirSync(cache, { recursive: true })
    const maven = (...args: string[]) =>
      execFileSync('mvn', ['-q', ...args], { cwd: cache, stdio: 'ignore', timeout: 5 * 60_000 })
    maven('dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`, '-Dmdep.useBaseVersion=true')
    const archive = join(cache, `keycloak-quarkus-dist-${version}.tar.gz`)
    execFileSync('tar', ['xzf', archive, '-C', cache], { stdio: 'ignore' })
    rmSync(archive)
    // Once and for all starts: what takes it longest.
    execFileSync(program, ['build', '--db=dev-mem'], { stdio: 'ignore', timeout: 5 * 60_000 })
    writeFileSync(join(home, 'built'), '')
    return null
  } catch {
    return `Keycloak is not here, and Maven did not bring one that runs (${artifact}, Java 17)`
  }
}

export interface KeycloakOptions {
  /** For `localhost`: then it speaks TLS, too. */
  readonly certificate?: Certificate
  /** Who signs for those whom it speaks to, in PEM. */
  readonly trusted?: string
  /** A folder that keeps what it knows, so that it can be exported after its end; else that is gone with it. */
  readonly kept?: string
  /** The address that it names itself by; else it is the one that each request came to. */
  readonly hostname?: string
}

export interface Keycloak extends AsyncDisposable {
  readonly origin: string
  /** Of the script that waits for Java. */
  readonly pid: number
  /** By TLS; empty without a certificate. */
  readonly secureOrigin: string
  /** Makes a realm of its own document of one, clients and all. */
  addRealm(realm: object): Promise<void>
  /** Its admin API below `/admin/realms`; what it answers, if that is JSON. */
  administer(method: string, path: string, body?: object | string): Promise<unknown>
}

const administrator = { username: 'administrator', password: 'a-password-for-one-test' }

/** H2 in a file instead of memory. */
const databaseIn = (kept: string): string =>
  `--db-url=jdbc:h2:file:${join(kept, 'keycloak')};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`

/** The realm as an operator exports it, from what a Keycloak that has ended left in the folder. */
export function exportRealm(kept: string, realm: string): string {
  const file = join(kept, `${realm}.json`)
  const flags = ['--realm', realm, '--users', 'same_file', '--file', file, databaseIn(kept), '--log-level=error']
  execFileSync(program, ['export', '--optimized', ...flags], { stdio: 'inherit', timeout: 5 * 60_000 })
  return file
}

export async function startKeycloak({ certificate, trusted, kept, hostname }: KeycloakOptions = {}): Promise<Keycloak> {
  const folder = temporaryFolder()
  const [port, tlsPort, managementPort] = [await freePort(), await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const secure =
    certificate === undefined
      ? []
      : [
          `--https-port=${tlsPort}`,
          `--https-certificate-file=${folder.write('cert.pem', certificate.cert)}`,
          `--https-certificate-key-file=${folder.write('key.pem', certificate.key)}`,
        ]
  const flags = [
    '--cache=local',
    '--http-enabled=true',
    ...(hostname === undefined ? ['--hostname-strict=false'] : [`--hostname=${hostname}`]),
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--http-management-port=${managementPort}`,
    ...secure,
    ...(trusted === undefined ? [] : [`--truststore-paths=${folder.write('trusted.pem', trusted)}`]),
    ...(kept === undefined ? [] : [databaseIn(kept)]),
  ]
  const child = spawn(program, ['start', '--optimized', '--log-level=error', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Its script waits for Java and hands no signal on: both are one group, and end together.
    detached: true,
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      JAVA_OPTS_APPEND: '-Xmx768m',
    },
  })
  await answering('Keycloak', `${origin}/realms/master`, child, 5 * 60)
  async function administer(method: string, path: string, body?: object | string): Promise<unknown> {
    const form = { grant_type: 'password', client_id: 'admin-cli', ...administrator }
    const token = await formToken(`${origin}/realms/master`, form)
    const answer = await fetch(`${origin}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token['access_token']}`, 'content-type': 'application/json' },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const content = await answer.text()
    if (!answer.ok) throw new Error(`Keycloak refused ${method} ${path}: ${answer.status} ${content}`)
    return content === '' ? null : JSON.parse(content)
  }
  return {
    origin,
    pid: child.pid ?? Number.NaN,
    secureOrigin: certificate === undefined ? '' : `https://localhost:${tlsPort}`,
    administer,
    addRealm: async (realm) => void (await administer('POST', '', realm)),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await stopProgram(child, folder)
    },
  }
}

/** What its token endpoint answers. */
export async function formToken(
  issuer: string,
  form: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const answer = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return (await answer.json()) as Record<string, string>
}
