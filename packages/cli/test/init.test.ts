/** `grantor init`: what it writes, that the server takes it, and what it leaves alone. */
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadSettings } from '@grantor/server'
import fc from 'fast-check'
import { askQuestions, type Interviewer } from '../src/commands/init/questions.ts'
import { completed, type WrittenSettings } from '../src/commands/init/init-settings.ts'
import { settingsText } from '../src/commands/init/settings-text.ts'
import { folder } from './grantor.ts'

const loaded = (text: string) =>
  loadSettings({ flags: {}, env: {}, cwd: '/', draft: { path: '/etc/grantor/grantor.yaml', text } })

test('without a terminal it asks nothing and writes a file of mode 0600 that the server starts with', async () => {
  using here = folder()
  const { code, stdout, stderr } = await here.call(['init'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /grantor\.yaml/)
  assert.match(stderr, /^ {2}grantor start {2}/m)
  assert.equal(statSync(join(here.path, 'grantor.yaml')).mode & 0o777, 0o600)
  assert.deepEqual(await here.json('config', 'check'), { ok: true, warnings: [] })
  await using server = await here.start(['--config', 'grantor.yaml'])
  assert.equal(server.ready.issuer, 'https://localhost:8443')
  assert.ok(readdirSync(here.path).includes('data'), 'the data folder lies beside the file')
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

const flags: readonly (readonly [args: readonly string[], expected: Readonly<Record<string, string | null>>])[] = [
  [
    ['--issuer', 'https://login.example'],
    { issuer: 'https://login.example', port: '8443', host: '127.0.0.1', trust_proxy: 'loopback' },
  ],
  [
    ['--issuer', 'https://login.example', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'],
    { host: '0.0.0.0', port: '443', trust_proxy: null },
  ],
  [['--issuer', 'https://localhost:9000'], { port: '9000', trust_proxy: null }],
  [['--issuer', 'https://login.example', '--tls-mode', 'on', '--port', '9001'], { port: '9001', trust_proxy: null }],
  [['--trust-proxy', '10.0.0.0/8,loopback', '--key-rotation', '30d'], { trust_proxy: '10.0.0.0/8,loopback' }],
  [['--database-url', 'postgres://db/grantor'], { 'database.url': '(set)', master_key: '(set)' }],
  [
    ['--database-url-file', 'url', '--master-key-file', 'key'],
    { 'database.url': '(set)', master_key: '(set)', 'mail.smtp': null },
  ],
  [['--mail-smtp', 'smtps://u:p@mail.example', '--mail-from', 'Us <login@example.com>'], { 'mail.smtp': '(set)' }],
]

test('every setting that is given as a flag stands in the file, and what follows from it', async () => {
  for (const [args, expected] of flags) {
    using here = folder()
    here.write('url', 'postgres://db/grantor\n')
    here.write('key', `${'k'.repeat(40)}\n`)
    const written = await here.call(['init', '--yes', ...args])
    assert.equal(written.code, 0, written.stderr)
    const { stdout } = await here.call(['config', 'print', '--json'])
    const printed = JSON.parse(stdout) as Record<string, unknown>
    for (const [name, value] of Object.entries(expected)) {
      const found = printed[name] as string | { value: string } | null
      assert.equal(
        found !== null && typeof found === 'object' ? found.value : found,
        value,
        `${args.join(' ')}: ${name}`,
      )
    }
  }
})

test('two master keys are never the same, and none is shown', async () => {
  const keyIn = async () => {
    using here = folder()
    const { stdout, stderr } = await here.call(['init', '--database-url', 'postgres://u:hush@db/grantor'])
    const key = /^master_key: "?([^"\n]+)/m.exec(here.read('grantor.yaml'))?.[1] ?? ''
    assert.ok(key.length >= 44)
    assert.ok(!stdout.includes(key) && !stderr.includes(key) && !(stdout + stderr).includes('hush'))
    return key
  }
  assert.notEqual(await keyIn(), await keyIn())
})

test('a file that is there is left alone, also with --yes; --replace keeps it beside the new one', async () => {
  using here = folder()
  here.write('grantor.yaml', `master_key: ${'m'.repeat(32)}\n`)
  chmodSync(join(here.path, 'grantor.yaml'), 0o644)
  for (const args of [['init'], ['init', '--yes'], ['init', '--json']]) {
    const { code, stderr } = await here.call(args)
    assert.equal(code, 4)
    assert.match(stderr, /left alone/)
  }
  assert.match(here.read('grantor.yaml'), /mmmm/)
  assert.equal((await here.call(['init', '--replace'])).code, 0)
  assert.doesNotMatch(here.read('grantor.yaml'), /mmmm/)
  const kept = readdirSync(here.path).filter((name) => name.startsWith('grantor.yaml.'))
  assert.equal(kept.length, 1)
  assert.match(here.read(kept[0] ?? ''), /mmmm/)
  // Its group may read it as before, everybody else no longer.
  assert.equal(statSync(join(here.path, 'grantor.yaml')).mode & 0o777, 0o640)
})

test('settings that do not hold together are told, and nothing is written', async () => {
  using here = folder()
  for (const args of [
    ['--issuer', 'http://login.example'],
    ['--issuer', 'https://login.example/path'],
    ['--workers', '2'],
    ['--port', 'http'],
    ['--tls-cert', 'cert.pem'],
    ['--database-url', 'mysql://db'],
    ['--database-url-file', 'nowhere'],
    ['--mail-smtp', 'smtp://mail.example'],
  ]) {
    const { code, stderr } = await here.call(['init', ...args])
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, /do not hold together/)
  }
  assert.deepEqual(readdirSync(here.path), [])
  const nowhere = await here.call(['init', '--config', 'no/such/folder.yaml'])
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.stderr, /is not there/)
})

/** Answers by the first words of the question; what it does not know gets its default. A wrong answer is refused first. */
function playing(answers: Readonly<Record<string, string | null>>): Interviewer & { readonly asked: string[] } {
  const asked: string[] = []
  const answerTo = (message: string) => {
    asked.push(message)
    return Object.entries(answers).find(([words]) => message.startsWith(words))?.[1]
  }
  return {
    asked,
    text: async ({ message, otherwise = '', problem }) => {
      const answer = answerTo(message)
      if (answer === null) return null
      const given = answer ?? otherwise
      const wrong = problem?.(given) ?? null
      if (wrong !== null) throw new Error(`${message}: ${wrong}`)
      return given
    },
    choose: async (message, choices, initial) => {
      const answer = answerTo(message)
      return answer === null ? null : (choices.find(({ value }) => value === answer)?.value ?? initial)
    },
  }
}

const find = (settings: WrittenSettings) => {
  const it = loaded(settingsText(completed(settings)))
  return it.kind === 'ok' ? null : (it.error[0] ?? null)
}

test('five questions, and none that a flag has answered', async () => {
  const all = playing({})
  assert.deepEqual(await askQuestions(all, {}, find), { issuer: 'https://localhost:8443', 'tls.mode': 'on' })
  assert.equal(all.asked.length, 5)
  const given = {
    issuer: 'https://login.example',
    trust_proxy: ['loopback'],
    'database.url': 'postgres://db/grantor',
    'mail.smtp': 'smtps://u:p@mail.example',
    'mail.from': 'login@example.com',
    'admin.password': 'a good password',
  }
  const none = playing({})
  assert.deepEqual(await askQuestions(none, given, find), given)
  assert.deepEqual(none.asked, [])
})

test('the answers become settings that hold together', async () => {
  const answered = await askQuestions(
    playing({
      'Under which': 'https://login.example',
      'Who ends': 'proxy',
      'From which address does the proxy': '10.0.0.0/8',
      'Where does': 'postgres://db/grantor',
      'How does it send': 'smtps://u:p@mail.example',
      'From which address?': 'Us <login@example.com>',
      'A password': 'a good password',
    }),
    {},
    find,
  )
  const it = loaded(settingsText(completed(answered ?? {})))
  assert.ok(it.kind === 'ok')
  const { issuer, trustProxy, databaseUrl, masterKey, mailFrom, adminPassword } = it.value.settings
  assert.deepEqual(
    { issuer, trustProxy, databaseUrl, mailFrom, adminPassword },
    {
      issuer: 'https://login.example',
      trustProxy: ['10.0.0.0/8'],
      databaseUrl: 'postgres://db/grantor',
      mailFrom: 'Us <login@example.com>',
      adminPassword: 'a good password',
    },
  )
  assert.equal(masterKey?.length, 44)
})

test('a wrong answer is told at its question, and whoever turns away writes nothing', async () => {
  for (const [answers, message] of [
    [{ 'Under which': 'login.example' }, /not a URL/],
    [{ 'Under which': 'http://login.example' }, /https/],
    [{ 'Where does': 'mysql://db' }, /postgres:\/\//],
    [{ 'How does': 'mail.example' }, /smtp:\/\//],
    [{ 'How does': 'smtps://mail.example', 'From which address?': 'nobody' }, /GRANTOR_MAIL_FROM/],
    [{ 'A password': 'short' }, /8 characters/],
    [{ 'Who ends': 'certificate' }, /left out/],
    [{ 'Who ends': 'proxy', 'From which address does': 'everybody' }, /GRANTOR_TRUST_PROXY/],
  ] as const)
    await assert.rejects(askQuestions(playing(answers), {}, find), message)
  for (const words of ['Under which', 'Who ends', 'Where does', 'How does', 'A password'])
    assert.equal(await askQuestions(playing({ [words]: null }), {}, find), null)
})

test('whatever a secret or a name holds, the file gives it back', () => {
  const awkward = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom(
      '# no remark',
      'a: b',
      '*alias',
      '&anchor',
      '!!binary x',
      '0x10',
      '12345678',
      'yes',
      'null',
      '~',
      '- x',
    ),
    fc.constantFrom(
      '{a}',
      '"',
      "'",
      '\\',
      ' spaces ',
      'two\nlines',
      '\ttab',
      '%TAG',
      '---',
      '...',
      '\u2028',
      '\u0000x',
    ),
  )
  const blankless = awkward.map((text) => text.trim()).filter((text) => text !== '')
  fc.assert(
    // Settings are read without the white space around them.
    fc.property(blankless, blankless, (password, name) => {
      const it = loaded(settingsText(completed({ 'admin.password': password, 'theme.name': name })))
      if (it.kind === 'error')
        return assert.ok(
          it.error.every((problem) => /theme/.test(problem)),
          String(it.error),
        )
      assert.equal(it.value.settings.adminPassword, password)
      assert.equal(it.value.settings.themeName, name)
    }),
  )
})
