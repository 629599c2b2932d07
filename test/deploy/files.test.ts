/** What it is deployed with: that it names real settings and paths, asks for no rights it does not need, and keeps secrets out. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { loadSettings, settingKeys, settingsList, variableOf } from '@grantor/server'
import { parse, parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../../interop/server.ts'
import { archive, imageConfig, writeLayout } from '../../scripts/deploy/image.ts'

const root = join(import.meta.dirname, '..', '..')
const deploy = join(root, 'deploy')
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8')

const variables = new Set(
  settingKeys.flatMap((key) => {
    const { name, secret } = settingsList[key]
    return secret ? [variableOf(name), `${variableOf(name)}_FILE`] : [variableOf(name)]
  }),
)

test('every variable that a file names is a setting', () => {
  const files = globSync('**/*.*', { cwd: deploy }).filter((name) => /\.\w+$/.test(name))
  assert.ok(files.length >= 10)
  for (const file of files)
    for (const [name] of read(file).matchAll(/\bGRANTOR_[A-Z_]+\b/g))
      // Of Compose itself: which image it is.
      assert.ok(variables.has(name) || name === 'GRANTOR_VERSION', `${file}: ${name}`)
})

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly [probe: string]: unknown
}
interface Kubernetes {
  readonly kind: string
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: Readonly<Record<string, unknown>> & { readonly containers: Container[] } }
  } & Readonly<Record<string, unknown>>
}
const manifests = parseAllDocuments(read('kubernetes/grantor.yaml')).map((it) => it.toJS() as Kubernetes | null)
const ofKind = (kind: string): Kubernetes => {
  const found = manifests.find((it) => it?.kind === kind)
  assert.ok(found !== undefined && found !== null, kind)
  return found
}

test('the pods run as nobody in particular, may write nowhere that lasts, and are asked for their health where it is told', () => {
  const { replicas, template } = ofKind('Deployment').spec
  assert.equal(replicas, 2)
  const { containers, enableServiceLinks, automountServiceAccountToken, securityContext } = template.spec
  assert.deepEqual([enableServiceLinks, automountServiceAccountToken], [false, false])
  assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true)
  const [container] = containers
  assert.ok(container !== undefined)
  assert.deepEqual(container['securityContext'], {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const port = (name: string) => container.ports.find((it) => it.name === name)?.containerPort
  assert.deepEqual(
    [port('http'), port('management')],
    [settingsList.port.fallback, settingsList.managementPort.fallback],
  )
  for (const [probe, path] of [
    ['startupProbe', '/health/live'],
    ['livenessProbe', '/health/live'],
    ['readinessProbe', '/health/ready'],
  ] as const)
    assert.deepEqual((container[probe] as { httpGet: object }).httpGet, { path, port: 'management' })
  for (const { name, value } of container.env)
    if (/PASSWORD|SMTP|MASTER_KEY|DATABASE_URL/.test(name)) assert.ok(value?.startsWith('/run/secrets/') ?? true, name)
})

test('Kubernetes may not take both nodes at once, and only named ports are open', () => {
  assert.equal(ofKind('PodDisruptionBudget').spec['minAvailable'], 1)
  const { policyTypes, ingress } = ofKind('NetworkPolicy').spec
  assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
  assert.deepEqual(ingress, [{ ports: [{ port: 'http', protocol: 'TCP' }] }])
})

test('the chart is of the version of the program', () => {
  const chart = parse(read('helm/grantor/Chart.yaml')) as { version: string; appVersion: string }
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string }
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
})

test('Compose starts two nodes that may do nothing they need not, with secrets from files', () => {
  const text = read('compose/compose.yaml')
  const { services, secrets } = parse(text, { merge: true }) as {
    services: Record<string, Record<string, unknown>>
    secrets: Record<string, { file: string }>
  }
  for (const name of ['grantor-1', 'grantor-2']) {
    const node = services[name]
    assert.ok(node !== undefined)
    assert.deepEqual([node['read_only'], node['cap_drop']], [true, ['ALL']])
    for (const secret of node['secrets'] as string[]) assert.match(secrets[secret]?.file ?? '', /^\.\/secrets\//)
    assert.ok(read('compose/Caddyfile').includes(`${name}:${settingsList.port.fallback}`))
  }
})

test('the settings file of the Debian package is one that the server takes, and its scripts can be read', () => {
  const path = '/etc/grantor/grantor.yaml'
  const loaded = loadSettings({ flags: {}, env: {}, cwd: '/', draft: { path, text: read('debian/grantor.yaml') } })
  assert.equal(loaded.kind, 'ok')
  for (const script of ['postinst', 'prerm', 'postrm']) {
    assert.match(read(`debian/${script}`), /^#!\/bin\/sh\nset -e\n/)
    execFileSync('sh', ['-n', join(deploy, 'debian', script)])
  }
})

test('the unit gives the service little, and the allocator its setting', (t) => {
  const unit = read('systemd/grantor.service')
  for (const line of [
    'User=grantor',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
    'StateDirectory=grantor',
    'SystemCallFilter=@system-service',
  ])
    assert.ok(unit.split('\n').includes(line), line)
  const tunables = /^Environment=(GLIBC_TUNABLES=.+)$/m.exec(unit)?.[1] ?? 'none'
  assert.ok((imageConfig.Env as readonly string[]).includes(tunables))
  assert.ok(readFileSync(join(root, 'docs/operations.md'), 'utf8').includes(tunables))
  const file = join(deploy, 'systemd', 'grantor.service')
  const { error, status, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=20', file],
    {
      encoding: 'utf8',
    },
  )
  if (error !== undefined) return t.diagnostic('systemd-analyze is not here: the exposure of the unit was not counted')
  assert.equal(status, 0, stdout)
})

test('OCI image layout: every descriptor has the digest and the size of its blob, and two builds are the same', () => {
  using work = temporaryFolder()
  const tree = join(work.path, 'tree')
  mkdirSync(join(tree, 'etc'), { recursive: true })
  writeFileSync(join(tree, 'etc', 'name'), 'grantor\n')
  const digest = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const indexes = ['one', 'two'].map((name) => {
    const layout = join(work.path, name)
    writeLayout(layout, [archive(tree, work.path)])
    const blob = (it: { digest: string; size: number }) => {
      const bytes = readFileSync(join(layout, 'blobs', it.digest.replace(':', '/')))
      assert.deepEqual([digest(bytes), bytes.length], [it.digest, it.size])
      return bytes
    }
    const index = readFileSync(join(layout, 'index.json'), 'utf8')
    const {
      manifests: [manifest],
    } = JSON.parse(index) as { manifests: [{ digest: string; size: number }] }
    const { config, layers } = JSON.parse(blob(manifest).toString()) as {
      config: { digest: string; size: number }
      layers: { digest: string; size: number }[]
    }
    const image = JSON.parse(blob(config).toString()) as { config: object; rootfs: { diff_ids: string[] } }
    assert.deepEqual(
      image.rootfs.diff_ids,
      layers.map((layer) => digest(gunzipSync(blob(layer)))),
    )
    assert.deepEqual(image.config, imageConfig)
    return index
  })
  assert.equal(indexes[0], indexes[1])
  assert.match(imageConfig.User, /^[1-9]\d*:[1-9]\d*$/)
})
