/** Apache with mod_auth_openidc, as Debian packages them: brought where that is possible, started on a free port. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDebianProgram } from './debian.ts'
import { freePort } from './plain-browser.ts'
import { answering, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const program = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

/** Null where it is there, or was put there; else why its tests are skipped. */
export const ensureApache = (): string | null =>
  ensureDebianProgram({
    name: 'Apache and mod_auth_openidc',
    packages: 'apache2-bin libapache2-mod-auth-openidc',
    files: [program, join(modules, 'mod_auth_openidc.so')],
  })

export interface Apache extends AsyncDisposable {
  readonly origin: string
}

const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc']

/** `settings` are those of the module, by the port it will have; what lies under /protected is for who signed in. */
export async function startApache(ca: string, settings: (origin: string) => readonly string[]): Promise<Apache> {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  mkdirSync(join(folder.path, 'site', 'protected'), { recursive: true })
  folder.write('site/protected/index.html', 'for members')
  for (const path of ['site', 'site/protected']) chmodSync(join(folder.path, path), 0o755)
  for (const path of ['site/protected/index.html', folder.write('ca.pem', ca).slice(folder.path.length + 1)])
    chmodSync(join(folder.path, path), 0o644)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const configuration = [
    ...loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    `Listen 127.0.0.1:${port}`,
    'ServerName 127.0.0.1',
    `PidFile ${folder.path}/pid`,
    `ErrorLog ${folder.path}/error.log`,
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    `DocumentRoot ${folder.path}/site`,
    'DirectoryIndex index.html',
    `OIDCCABundlePath ${folder.path}/ca.pem`,
    ...settings(origin),
    '<Location /protected>',
    '  AuthType openid-connect',
    '  Require valid-user',
    '  Header set X-Remote-User "expr=%{REMOTE_USER}"',
    '</Location>',
  ]
  const file = folder.write('apache.conf', `${configuration.join('\n')}\n`)
  const child = spawn(program, ['-d', folder.path, '-f', file, '-DFOREGROUND'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answering('Apache', origin, child)
  return { origin, [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}
