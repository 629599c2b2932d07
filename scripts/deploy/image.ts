/**
 * Builds an OCI image: `npm run image [-- folder]`. A few libraries of Debian, our tarballs and the Node they run on; no
 * registry, no daemon and no shell. Needs `apt-get`, `dpkg` and `tar`. The same commit on the same Debian gives the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packAll } from '../pack.ts'
import { sbomFileOf } from '../sbom.ts'
import { architecture, commandTarball, root, sourceDate, stageInstallation, version } from './installation.ts'

/** What the Node binary and the password hash are linked with. */
const libraries = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1']

const installed = '/usr/lib/grantor'
const node = `${installed}/bin/node`
const data = '/var/lib/grantor'
/** Not root, and of no other image that a volume may have been made by. */
export const imageUser = 10001

export const imageConfig = {
  User: `${imageUser}:${imageUser}`,
  Entrypoint: [node, `${installed}/node_modules/grantor/bin/grantor.js`],
  Cmd: ['start'],
  Env: [
    'PATH=/usr/lib/grantor/bin',
    `GRANTOR_DATA=${data}`,
    'GRANTOR_HOST=0.0.0.0',
    // docs/operations.md says what it gains.
    'GLIBC_TUNABLES=glibc.malloc.tcache_count=127:glibc.malloc.hugetlb=1',
  ],
  ExposedPorts: { '8443/tcp': {}, '8445/tcp': {} },
  Volumes: { [data]: {} },
  WorkingDir: data,
  StopSignal: 'SIGTERM',
  // Docker's own field; Kubernetes has probes of its own.
  Healthcheck: {
    Test: ['CMD', node, `${installed}/health.js`, 'ready'],
    Interval: 30e9,
    Timeout: 5e9,
    StartPeriod: 30e9,
  },
  Labels: {
    'org.opencontainers.image.title': 'grantor',
    'org.opencontainers.image.version': version(),
    'org.opencontainers.image.licenses': 'Apache-2.0',
  },
} as const

export function buildImage(destination: string, tarballs: readonly string[]): string {
  const work = mkdtempSync(join(destination, '.image-'))
  try {
    const [system, program] = [join(work, 'system'), join(work, 'program')]
    stageSystem(system, work)
    stageInstallation(join(program, installed), tarballs)
    put(program, `${installed}/sbom.cdx.json`, readFileSync(sbomFileOf(commandTarball(tarballs)), 'utf8'))
    const layout = join(work, 'layout')
    writeLayout(layout, [archive(system, work), archive(program, work)])
    const file = join(destination, `grantor-${version()}-${architecture()}.oci.tar`)
    writeFileSync(file, archive(layout, work))
    return file
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function stageSystem(folder: string, work: string): void {
  const downloads = join(work, 'downloads')
  mkdirSync(downloads)
  // Apt warns where its own user may not write; nothing else is of use on its output.
  execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...libraries], { cwd: downloads })
  for (const name of globSync('*.deb', { cwd: downloads }).toSorted()) {
    const deb = join(downloads, name)
    execFileSync('dpkg-deb', ['--extract', deb, folder])
    // Where scanners of images look for what Debian brought.
    const control = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' })
    put(folder, `/var/lib/dpkg/status.d/${name.split('_')[0]}`, control)
  }
  for (const needless of ['usr/share/man', 'usr/share/locale', 'usr/share/lintian', 'usr/lib/x86_64-linux-gnu/gconv'])
    rmSync(join(folder, needless), { recursive: true, force: true })
  put(
    folder,
    '/etc/passwd',
    `root:x:0:0:root:/:/nologin\ngrantor:x:${imageUser}:${imageUser}:Grantor:${data}:/nologin\n`,
  )
  put(folder, '/etc/group', `root:x:0:\ngrantor:x:${imageUser}:\n`)
  put(folder, '/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')
  for (const empty of ['proc', 'sys', 'dev', 'tmp']) mkdirSync(join(folder, empty), { recursive: true })
  chmodSync(join(folder, 'tmp'), 0o1777)
  mkdirSync(join(folder, data), { recursive: true })
  chmodSync(join(folder, data), 0o700)
  mkdirSync(join(folder, 'usr/bin'), { recursive: true })
  symlinkSync(node, join(folder, 'usr/bin/node'))
}

/** A tar archive that is the same whoever makes it, and when; the data folder belongs to the user of the image. */
export function archive(folder: string, work: string): Buffer {
  const file = join(work, `${createHash('sha256').update(folder).digest('hex')}.tar`)
  const tar = (flags: readonly string[], owner: number, ...what: readonly string[]): void =>
    void execFileSync('tar', [
      ...flags,
      file,
      '--format=gnu',
      '--sort=name',
      `--mtime=@${sourceDate()}`,
      '--numeric-owner',
      `--owner=${owner}`,
      `--group=${owner}`,
      '-C',
      folder,
      ...what,
    ])
  const [own] = globSync(data.slice(1), { cwd: folder })
  tar(['-cf'], 0, ...(own === undefined ? [] : [`--exclude=./${own}`]), '.')
  if (own !== undefined) tar(['-rf'], imageUser, `./${own}`)
  return readFileSync(file)
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export function writeLayout(folder: string, layers: readonly Buffer[]): void {
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true })
  const blob = (mediaType: string, bytes: Uint8Array) => {
    const digest = digestOf(bytes)
    writeFileSync(join(blobs, digest.slice('sha256:'.length)), bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const json = (mediaType: string, document: object) => blob(mediaType, Buffer.from(JSON.stringify(document)))
  const created = new Date(sourceDate() * 1000).toISOString()
  const config = json('application/vnd.oci.image.config.v1+json', {
    created,
    architecture: architecture(),
    os: 'linux',
    config: imageConfig,
    rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
    history: [
      { created, created_by: `debian: ${libraries.join(' ')}` },
      { created, created_by: `grantor ${version()}` },
    ],
  })
  const manifest = json('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map((layer) => blob('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(layer))),
  })
  const platform = { architecture: architecture(), os: 'linux' }
  const annotations = { 'org.opencontainers.image.ref.name': version() }
  put(folder, 'oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  put(folder, 'index.json', JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, platform, annotations }] }))
}

if (import.meta.main) {
  const destination = resolve(process.argv[2] ?? join(root, 'dist'))
  mkdirSync(destination, { recursive: true })
  process.stdout.write(`${buildImage(destination, packAll(destination))}\n`)
}
