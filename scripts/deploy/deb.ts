/** Builds a Debian package: `npm run deb [-- folder]`. Needs `dpkg-deb`, and nothing else of Debian's tools. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packAll } from '../pack.ts'
import { sbomFileOf } from '../sbom.ts'
import { architecture, commandTarball, root, sourceDate, stageInstallation, version } from './installation.ts'

const debian = join(root, 'deploy', 'debian')
const installed = 'usr/lib/grantor'
const documents = 'usr/share/doc/grantor'

/** What an administrator edits: dpkg asks before it replaces one that was changed. */
const settingsFiles = { 'etc/grantor/grantor.yaml': 'grantor.yaml', 'etc/default/grantor': 'grantor.default' } as const

const control = (installedSize: number): string => `Package: grantor
Version: ${debianVersion(version())}
Architecture: ${architecture()}
Maintainer: Grantor <grantor@localhost>
Installed-Size: ${installedSize}
Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 10)
Suggests: postgresql
Section: net
Priority: optional
Description: OAuth 2.1 and OpenID Connect authorization server
 Grantor lets people sign in and lets them grant programs access to APIs. This
 package holds the server, the grantor command, the Node.js it runs on, and a
 unit for systemd that is not started by itself.
`

/** A release candidate comes before its release. */
const debianVersion = (text: string): string => text.replace('-', '~')

export function buildDeb(destination: string, tarballs: readonly string[]): string {
  const stage = mkdtempSync(join(destination, '.deb-'))
  try {
    stageInstallation(join(stage, installed), tarballs)
    layOut(stage, tarballs)
    const file = join(destination, `grantor_${debianVersion(version())}_${architecture()}.deb`)
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate()) }
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', stage, file], { env, stdio: 'ignore' })
    return file
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function layOut(stage: string, tarballs: readonly string[]): void {
  const put = (from: string, to: string, mode = 0o644): void => {
    mkdirSync(dirname(join(stage, to)), { recursive: true })
    cpSync(from, join(stage, to))
    chmodSync(join(stage, to), mode)
  }
  for (const [to, from] of Object.entries(settingsFiles)) put(join(debian, from), to)
  put(join(root, 'deploy', 'systemd', 'grantor.service'), 'lib/systemd/system/grantor.service')
  put(join(debian, 'copyright'), `${documents}/copyright`)
  put(join(root, 'README.md'), `${documents}/README.md`)
  writeFileSync(join(stage, documents, 'changelog.gz'), gzipSync(changelog(), { level: 9 }))
  put(sbomFileOf(commandTarball(tarballs)), `${documents}/sbom.cdx.json`)
  const command =
    '#!/bin/sh\nexec /usr/lib/grantor/bin/node /usr/lib/grantor/node_modules/grantor/bin/grantor.js "$@"\n'
  mkdirSync(join(stage, 'usr/bin'))
  writeFileSync(join(stage, 'usr/bin/grantor'), command, { mode: 0o755 })
  const size = globSync('**', { cwd: stage }).reduce((sum, name) => sum + lstatSync(join(stage, name)).size, 0)
  mkdirSync(join(stage, 'DEBIAN'))
  writeFileSync(join(stage, 'DEBIAN/control'), control(Math.ceil(size / 1024)))
  writeFileSync(
    join(stage, 'DEBIAN/conffiles'),
    Object.keys(settingsFiles)
      .map((name) => `/${name}\n`)
      .join(''),
  )
  for (const script of ['postinst', 'prerm', 'postrm']) put(join(debian, script), `DEBIAN/${script}`, 0o755)
  settle(stage)
}

/** The same rights and times whoever builds it, and when. */
function settle(stage: string): void {
  for (const name of ['.', ...globSync('**', { cwd: stage })]) {
    const path = join(stage, name)
    const entry = lstatSync(path)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, (entry.mode & 0o111) === 0 ? 0o644 : 0o755)
    lutimesSync(path, sourceDate(), sourceDate())
  }
}

const changelog = (): string => `grantor (${debianVersion(version())}) stable; urgency=medium

  * What has changed stands in CHANGELOG.md of the sources.

 -- Grantor <grantor@localhost>  ${new Date(sourceDate() * 1000).toUTCString().replace('GMT', '+0000')}
`

if (import.meta.main) {
  const destination = resolve(process.argv[2] ?? join(root, 'dist'))
  process.stdout.write(`${buildDeb(destination, packAll(destination))}\n`)
}
