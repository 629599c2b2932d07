/** `grantor trust`: a real NSS store in a home of its own, and the stores of systems below another root. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { issueCertificate } from '@grantor/server'
import { browserStores } from '../src/trust/browser-stores.ts'
import { changeStore, isMissing, shellLine, type Wanted } from '../src/trust/change-stores.ts'
import type { LocalAuthority } from '../src/trust/local-authority.ts'
import type { CommandWords, Machine } from '../src/trust/machine.ts'
import type { TrustStore } from '../src/trust/store.ts'
import { systemStore } from '../src/trust/system-stores.ts'
import { folder, type Folder } from './grantor.ts'

const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) }
const makeAuthority = () =>
  issueCertificate({ name: 'CN=Grantor local CA test', validity: life, names: null, signer: null })

let here: Folder
let home: string
let pem: string

before(async () => {
  here = folder()
  home = join(here.path, 'home')
  mkdirSync(join(here.path, 'data', 'tls'), { recursive: true })
  mkdirSync(home)
  const { cert, key } = await makeAuthority()
  pem = cert
  here.write('data/tls/ca.pem', cert)
  here.write('data/tls/ca.key', key)
})
after(() => here[Symbol.dispose]())

const hasCertutil = existsSync('/usr/bin/certutil')
const withoutCertutil = hasCertutil ? false : 'certutil (libnss3-tools) is not installed'

interface Answer {
  readonly authority: { readonly sha256: string } | null
  readonly stores: readonly {
    readonly store: string
    readonly place: string
    readonly state: string
    readonly changed: boolean
    readonly fix: string | null
  }[]
}

/** As the command line says it; the store of this very system is left alone. */
async function trust(...words: readonly string[]): Promise<{ readonly code: number | null } & Answer> {
  const env = { HOME: home, XDG_DATA_HOME: '', SUDO_UID: '', PATH: process.env['PATH'] ?? '' }
  const { code, stdout, stderr } = await here.call(['trust', '--json', '--store', 'browsers', ...words], { env })
  assert.notEqual(stdout, '', stderr)
  return { code, ...(JSON.parse(stdout) as Answer) }
}

test(
  'the browsers of a person trust the local CA, twice is once, and --remove takes it out',
  { skip: withoutCertutil },
  async () => {
    const profile = join(home, '.mozilla', 'firefox', 'abc.default')
    mkdirSync(profile, { recursive: true })
    execFileSync('certutil', ['-N', '-d', `sql:${profile}`, '--empty-password'])
    const states = ({ stores }: Answer) => stores.map(({ store, state, changed }) => [store, state, changed])
    assert.deepEqual(states(await trust('--list')), [
      ['Chromium, Chrome', 'not trusted', false],
      ['Firefox', 'not trusted', false],
    ])
    assert.equal(existsSync(join(home, '.pki')), false, 'a list changes nothing')
    for (const changed of [true, false]) {
      const put = await trust()
      assert.equal(put.code, 0)
      assert.deepEqual(states(put), [
        ['Chromium, Chrome', 'trusted', changed],
        ['Firefox', 'trusted', changed],
      ])
    }
    const store = join(home, '.pki', 'nssdb')
    assert.equal(statSync(store).mode & 0o777, 0o700)
    assert.match(listed(store), /^Grantor local CA [0-9a-f]{16} +C,, *$/m)
    // certutil ends with 255 where there are no keys.
    const keys = spawnSync('certutil', ['-K', '-d', `sql:${store}`, '-f', '/dev/null'], { encoding: 'utf8' })
    assert.match(keys.stdout + keys.stderr, /no keys found/)
    // Held without the mark of an authority is not trusted.
    const name = /^Grantor local CA [0-9a-f]{16}/m.exec(listed(store))?.[0] ?? ''
    execFileSync('certutil', ['-M', '-d', `sql:${store}`, '-n', name, '-t', ',,'])
    assert.deepEqual(states(await trust('--list'))[0], ['Chromium, Chrome', 'not trusted', false])
    assert.deepEqual(states(await trust())[0], ['Chromium, Chrome', 'trusted', true])
    for (const changed of [true, false])
      assert.deepEqual(states(await trust('--remove')), [
        ['Chromium, Chrome', 'not trusted', changed],
        ['Firefox', 'not trusted', changed],
      ])
    for (const it of [store, profile]) assert.doesNotMatch(listed(it), /Grantor/)
  },
)

test(
  '--remove --all takes out what an earlier data folder left, and nothing of anybody else',
  { skip: withoutCertutil },
  async () => {
    const other = await issueCertificate({ name: 'CN=Somebody else', validity: life, names: null, signer: null })
    await trust()
    const store = join(home, '.pki', 'nssdb')
    execFileSync('certutil', [
      '-A',
      '-d',
      `sql:${store}`,
      '-t',
      'C,,',
      '-n',
      'Somebody else',
      '-i',
      join(here.path, here.write('other.pem', other.cert)),
    ])
    cpSync(join(here.path, 'data'), join(here.path, 'kept'), { recursive: true })
    rmSync(join(here.path, 'data', 'tls'), { recursive: true })
    const without = await here.call(['trust', '--remove', '--json'], { env: { HOME: home } })
    assert.equal(without.code, 3)
    assert.match(without.stderr, /there is no local CA/)
    const gone = await trust('--remove', '--all')
    assert.deepEqual([gone.code, gone.stores[0]?.state, gone.stores[0]?.changed], [0, 'not trusted', true])
    assert.doesNotMatch(listed(store), /Grantor/)
    assert.match(listed(store), /Somebody else/)
    cpSync(join(here.path, 'kept'), join(here.path, 'data'), { recursive: true })
  },
)

const listed = (store: string): string => execFileSync('certutil', ['-L', '-d', `sql:${store}`], { encoding: 'utf8' })

test('a file that is not the certificate of our CA alone goes nowhere', async () => {
  using there = folder()
  mkdirSync(join(there.path, 'data', 'tls'), { recursive: true })
  const { cert, key } = await makeAuthority()
  const foreign = await issueCertificate({ name: 'CN=Example Root', validity: life, names: null, signer: null })
  const leaf = await issueCertificate({
    name: 'CN=Grantor local CA x',
    validity: life,
    names: ['localhost'],
    signer: null,
  })
  for (const [what, text] of Object.entries({
    key,
    'key and certificate': `${cert}${key}`,
    two: `${cert}${cert}`,
    foreign: foreign.cert,
    leaf: leaf.cert,
    nothing: '',
    noise: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  })) {
    there.write('data/tls/ca.pem', text)
    const { code, stdout, stderr } = await there.call(['trust', '--json'], { env: { HOME: there.path } })
    assert.deepEqual([code, stdout], [2, ''], what)
    assert.match(stderr, /does not hold the certificate of a local CA and nothing else/)
    assert.deepEqual(readdirSync(there.path), ['data'], what)
  }
})

test('a certificate that was given has no local CA; --all and --list say what they go with', async () => {
  for (const [words, why] of [
    [['--all'], /--all goes with --remove/],
    [['--list', '--remove'], /--list changes nothing/],
    [['--tls-cert', 'a.pem', '--tls-key', 'a.key'], /no local CA to trust/],
  ] as const) {
    const { code, stderr } = await here.call(['trust', ...words], { env: { HOME: home } })
    assert.equal(code, 2)
    assert.match(stderr, why)
  }
})

test(
  'with sudo the browsers of a person are left alone',
  { skip: process.getuid?.() === 0 ? false : 'only root is root' },
  async () => {
    const { code, stderr } = await here.call(['trust'], { env: { HOME: home, SUDO_UID: '1000' } })
    assert.equal(code, 2)
    assert.match(stderr, /belong to root/)
  },
)

interface Fake {
  readonly platform?: NodeJS.Platform
  readonly programs?: readonly string[]
  readonly isRoot?: boolean
}

/** Below a root of its own; `install` and `rm` are real, what would make the system read it again is only noted. */
function fakeMachine(root: string, { platform = 'linux', programs = [], isRoot = true }: Fake) {
  const acted: string[] = []
  const machine: Machine = {
    platform,
    root,
    home: join(root, 'home'),
    dataHome: join(root, 'home', '.local', 'share'),
    isRoot,
    isSudo: false,
    hasProgram: (name) => programs.includes(name),
    ask: async () => ({ code: 1, stdout: '' }),
    act: async (words) => {
      acted.push(shellLine(words).replaceAll(root, ''))
      const [program, ...args] = (words[0] === 'sudo' ? words.slice(1) : words) as CommandWords
      if (program === 'install' || program === 'rm') execFileSync(program, args)
      return 0
    },
  }
  return { machine, acted }
}

const authorityOf = (): LocalAuthority => ({
  file: join(here.path, 'data', 'tls', 'ca.pem'),
  pem,
  fingerprint: 'ab'.repeat(32),
  thumbprint: 'CD'.repeat(20),
  name: `Grantor local CA ${'ab'.repeat(8)}`,
})

const present = (machine: Machine): TrustStore => {
  const store = systemStore(machine)
  assert.ok(!isMissing(store))
  return store
}
const file = `grantor-local-ca-${'ab'.repeat(8)}`

for (const [system, { folder: anchors, programs, refresh, fresh, name }] of Object.entries({
  Debian: {
    folder: 'usr/local/share/ca-certificates',
    programs: ['update-ca-certificates'],
    refresh: 'update-ca-certificates',
    fresh: 'update-ca-certificates --fresh',
    name: `${file}.crt`,
  },
  Fedora: {
    folder: 'etc/pki/ca-trust/source/anchors',
    programs: ['update-ca-trust'],
    refresh: 'update-ca-trust extract',
    fresh: 'update-ca-trust extract',
    name: `${file}.pem`,
  },
  Arch: {
    folder: 'etc/ca-certificates/trust-source/anchors',
    programs: ['update-ca-trust'],
    refresh: 'update-ca-trust extract',
    fresh: 'update-ca-trust extract',
    name: `${file}.crt`,
  },
  SUSE: {
    folder: 'etc/pki/trust/anchors',
    programs: ['update-ca-certificates'],
    refresh: 'update-ca-certificates',
    fresh: 'update-ca-certificates',
    name: `${file}.pem`,
  },
})) {
  test(`${system}: the certificate is put among the anchors and read, once, and taken out again`, async () => {
    using there = folder()
    mkdirSync(join(there.path, anchors), { recursive: true })
    writeFileSync(join(there.path, anchors, 'other.crt'), 'somebody else’s')
    const { machine, acted } = fakeMachine(there.path, { programs })
    const never = { machine, mayUseSudo: () => Promise.reject(new Error('root needs no sudo')) }
    const authority = authorityOf()
    const ask = (state: Wanted['state'], all = false) =>
      changeStore(present(machine), all ? { state: 'not trusted', authority: null } : { state, authority }, never)
    assert.deepEqual([(await ask('trusted')).changed, (await ask('trusted')).changed], [true, false])
    assert.equal(readFileSync(join(there.path, anchors, name), 'utf8'), pem)
    assert.equal(statSync(join(there.path, anchors, name)).mode & 0o777, 0o644)
    assert.equal((await ask('not trusted')).state, 'not trusted')
    await ask('trusted')
    assert.equal((await ask('not trusted', true)).state, 'not trusted')
    assert.deepEqual(readdirSync(join(there.path, anchors)), ['other.crt'])
    const [put, taken] = [`install -m 644 ${authority.file} /${anchors}/${name}`, `rm -f /${anchors}/${name}`]
    assert.deepEqual(acted, [put, refresh, taken, fresh, put, refresh, taken, fresh])
  })
}

test('sudo is asked for before it is used; without leave nothing happens, and the line to paste is told', async () => {
  using there = folder()
  const anchors = join(there.path, 'usr/local/share/ca-certificates')
  mkdirSync(anchors, { recursive: true })
  const { machine, acted } = fakeMachine(there.path, { programs: ['update-ca-certificates'], isRoot: false })
  const wanted = { state: 'trusted', authority: authorityOf() } as const
  const asked: string[] = []
  const answer = (leave: boolean) => async (commands: readonly CommandWords[]) => {
    asked.push(...commands.map(shellLine))
    return leave
  }
  const refused = await changeStore(present(machine), wanted, { machine, mayUseSudo: answer(false) })
  assert.deepEqual([refused.state, refused.changed, acted, readdirSync(anchors)], ['not trusted', false, [], []])
  assert.match(refused.fix ?? '', /^sudo install -m 644 .* && sudo update-ca-certificates$/)
  assert.ok(asked.every((line) => line.startsWith('sudo ')))
  const allowed = await changeStore(present(machine), wanted, { machine, mayUseSudo: answer(true) })
  assert.deepEqual([allowed.state, acted.length], ['trusted', 2])
})

test('macOS and Windows: the person’s own store, by the system’s own program, and no sudo', async () => {
  for (const [platform, put, taken] of [
    [
      'darwin',
      /^security add-trusted-cert -r trustRoot -k \S+login\.keychain-db \S+ca\.pem$/,
      /^security delete-certificate -Z CDCD/,
    ],
    ['win32', /^certutil -user -addstore -f Root \S+ca\.pem$/, /^certutil -user -delstore Root CDCD/],
  ] as const) {
    const { machine } = fakeMachine(here.path, { platform, isRoot: false })
    const store = present(machine)
    const lines = (commands: readonly CommandWords[]) => commands.map(shellLine)
    assert.equal(store.needsRoot, false)
    assert.match(lines(store.add(authorityOf())).at(-1) ?? '', put)
    assert.match(lines(store.remove(authorityOf())).at(-1) ?? '', taken)
    assert.deepEqual(browserStores(machine), [], 'browsers trust what the system trusts')
  }
})

test('what cannot be reached is said, with what to install', () => {
  const { machine } = fakeMachine(join(here.path, 'nowhere'), {})
  const [store] = browserStores(machine)
  assert.ok(store !== undefined && isMissing(store))
  assert.match(store.fix, /libnss3-tools/)
  assert.ok(isMissing(systemStore(machine)))
})

test('a second store of Chromium is not made beside the one that it uses', () => {
  using there = folder()
  const used = join(there.path, 'home', '.local', 'share', 'pki', 'nssdb')
  mkdirSync(used, { recursive: true })
  writeFileSync(join(used, 'cert9.db'), '')
  const { machine } = fakeMachine(there.path, { programs: ['certutil'] })
  assert.deepEqual(
    browserStores(machine).map((store) => (isMissing(store) ? '' : store.place)),
    [used],
  )
})
