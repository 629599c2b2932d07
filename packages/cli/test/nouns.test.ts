/** The nouns of the admin API at the command line: on the database, and at a server by a login of a real administrator. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../../interop/person.ts'
import { completionScript, shells } from '../src/completion/scripts.ts'
import { completedWords } from '../src/completion/words.ts'
import { commandLinePage, commands, type Environment, outputOptions, runGrantor } from '../src/index.ts'
import { nouns } from '../src/nouns/nouns.ts'
import { wordOf } from '../src/nouns/noun.ts'
import { receiptSentence } from '../src/nouns/receipt.ts'
import { type Folder, folder, plainEnv } from './grantor.ts'

const seed = JSON.stringify({
  users: [
    { username: 'root', password: 'correct-horse', name: 'Root', administrator: 'owner' },
    { username: 'alice', password: 'correct-horse', name: 'Alice Doe', email: 'alice@example.com' },
  ],
  clients: [
    {
      client_id: 'svc',
      client_secret: 'a-secret-of-32-or-more-characters-long',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: '',
    },
  ],
})

async function signIn(here: Folder, issuer: string, username: string, words: readonly string[] = []): Promise<number> {
  const agent = new Agent({ connect: { ca: here.read('data/tls/ca.pem') } })
  const person = new ScriptedPerson((url, init) => fetch(url, { ...init, dispatcher: agent }), {
    username,
    password: 'correct-horse',
  })
  const decided: Promise<unknown>[] = []
  const write = (text: string, written?: (error?: Error | null) => void): boolean => {
    if (text.includes('user_code'))
      decided.push(person.answerDevice(JSON.parse(text) as { user_code: string; verification_uri: string }, 'allow'))
    written?.()
    return true
  }
  const environment: Environment = {
    env: { ...plainEnv, XDG_CONFIG_HOME: here.path },
    cwd: here.path,
    stdin: Readable.from([]),
    stdout: { write },
    stderr: { write },
    stopped: () => Promise.resolve(),
    onHangup: () => {},
  }
  const code = await runGrantor(['login', issuer, '--json', ...words], environment)
  await Promise.all(decided)
  await agent.close()
  return code
}

const actorKind = (event: Documents[number] | undefined): unknown =>
  (event?.['actor'] as { readonly kind?: unknown } | undefined)?.kind

type Documents = readonly Readonly<Record<string, unknown>>[]

test('every noun is listed, shown, changed and removed at a server by the words of its API, by a login of an administrator', async () => {
  using here = folder()
  here.write('seed.json', seed)
  await using server = await here.start([], { GRANTOR_DEVICE_INTERVAL: '1s', GRANTOR_SEED: 'seed.json' })
  const { issuer } = server.ready
  const env = { XDG_CONFIG_HOME: here.path }
  const at = ['--server', issuer]
  const run = (...words: readonly string[]) => here.call([...words, ...at], { env })
  const json = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { code, stdout, stderr } = await run(...words, '--json')
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>
  }
  const list = async (...words: readonly string[]) => (await json(...words)) as unknown as Documents
  const before = await run('session', 'list')
  assert.deepEqual([before.code, before.stderr.includes('grantor login')], [3, true])
  // A login that is no administrator's, then one that is.
  assert.equal(await signIn(here, issuer, 'alice', ['--admin']), 0)
  const refused = await run('user', 'list')
  assert.deepEqual([refused.code, refused.stderr.includes('--admin')], [1, true], refused.stderr)
  assert.equal(await signIn(here, issuer, 'root', ['--admin']), 0)

  for (const { name, columns } of nouns) {
    const { code, stdout, stderr } = await run(name, 'list')
    assert.equal(code, 0, `${name}: ${stderr}`)
    if (stdout !== '') assert.ok(stdout.startsWith(columns[0]?.toUpperCase() ?? ''), stdout)
  }

  // People: by their name or id, found, changed, listed one a line.
  const alice = await json('user', 'show', 'alice')
  assert.equal(alice['email'], 'alice@example.com')
  assert.equal((await json('user', 'show', String(alice['id'])))['username'], 'alice')
  assert.equal((await json('user', 'update', 'alice', '--set', 'name=Alice Roe'))['name'], 'Alice Roe')
  assert.equal((await run('user', 'update', 'alice')).code, 2)
  const wrong = await run('user', 'update', 'alice', '--set', 'email:=5')
  assert.deepEqual([wrong.code, wrong.stderr.includes('email')], [2, true])
  assert.equal((await run('user', 'update', 'alice', '--set', 'email:={')).code, 2)
  assert.equal((await run('user', 'show', 'nobody')).code, 3)
  const prefixed = await run('user', 'list', '--username-prefix', 'al', '--quiet')
  assert.equal(prefixed.stdout, 'alice\n')
  assert.equal((await list('user', 'list', '--limit', '1')).length, 1)

  // Sessions, grants and consents of a person: looked up and ended.
  const subject = String(alice['id'])
  const [session] = await list('session', 'list', '--subject', subject)
  assert.ok(session !== undefined)
  const [grant] = await list('grant', 'list', '--subject', subject, '--client-id', 'grantor-cli')
  assert.equal((await json('grant', 'show', String(grant?.['id'])))['client_id'], 'grantor-cli')
  assert.equal((await json('grant', 'revoke', String(grant?.['id'])))['revoked'], true)
  assert.equal((await run('grant', 'revoke', String(grant?.['id']))).code, 3)
  const [consent] = await list('consent', 'list', '--subject', subject)
  assert.equal((await json('consent', 'revoke', String(consent?.['id'])))['revoked'], true)
  assert.equal((await json('session', 'revoke', String(session['id'])))['revoked'], true)
  assert.deepEqual(await list('session', 'list', '--subject', subject), [])
  assert.ok('revoked' in (await json('grant', 'revoke-all', '--subject', subject)))
  assert.equal((await run('grant', 'revoke-all')).code, 2)

  // APIs and their scopes: made, changed, taken away again in that order.
  const api = 'https://orders.example'
  assert.equal((await json('resource', 'create', '--set', `identifier=${api}`, '--set', 'name=Orders'))['id'], api)
  const scope = ['--set', 'name=orders:see', '--set', `resource=${api}`, '--set', 'description=See orders']
  assert.equal((await json('scope', 'create', ...scope))['sensitivity'], 'normal')
  assert.equal((await json('scope', 'update', 'orders:see', '--set', 'sensitivity=high'))['sensitivity'], 'high')
  assert.equal((await run('resource', 'delete', api)).code, 2)
  assert.equal((await run('scope', 'delete', 'admin:users:read')).code === 0, false)
  assert.equal((await json('scope', 'delete', 'orders:see'))['deleted'], true)
  assert.equal((await json('resource', 'delete', api))['deleted'], true)
  assert.equal((await json('setting', 'show', 'port'))['variable'], 'GRANTOR_PORT')

  // Registration tokens, keys and tenants, by the commands that act on a database, too.
  const token = await json('registration-token', 'create', '--uses', '2')
  assert.deepEqual([token['uses_left'], typeof token['token']], [2, 'string'])
  assert.equal((await json('registration-token', 'revoke', String(token['id'])))['revoked'], true)
  assert.equal((await run('registration-token', 'show', String(token['id']))).code, 3)
  assert.equal((await run('key', 'rotate', '--now')).code, 0)
  const retiring = (await list('key', 'list')).find((key) => key['state'] === 'retiring')
  const drop = ['key', 'drop', '--yes', ...at, '--', String(retiring?.['id'])]
  const fresh = await here.call(drop, { env })
  assert.deepEqual([fresh.code, fresh.stderr.includes('second factor')], [1, true], fresh.stderr)
  assert.equal((await json('tenant', 'create', 'side'))['name'], 'side')
  assert.equal((await json('tenant', 'create', 'other', '--name', 'Other side'))['name'], 'Other side')
  assert.equal((await run('tenant', 'delete', 'side', '--yes')).code, 1)

  // Clients: made, changed, deleted.
  const made = await json(
    'client',
    'create',
    'made',
    '--set',
    'client_name=Made',
    '--set',
    'grant_types:=["client_credentials"]',
  )
  assert.equal(made['client_id'], 'made')
  assert.equal((await run('client', 'create', 'made', '--set', 'client_name=Twice')).code, 4)
  assert.equal((await json('client', 'update', 'made', '--set', 'client_name=Other'))['client_name'], 'Other')
  const { others_expire_at: end } = await json('client', 'rotate-secret', 'made', '--overlap', '0')
  assert.ok(Date.parse(String(end)) <= Date.now(), `as many seconds as were said: ${String(end)}`)
  assert.equal((await run('client', 'delete', 'made', '--yes')).code, 0)
  assert.equal((await run('client', 'show', 'made')).code, 3)

  // Everything is in the log, with who did it.
  const [changed] = await list('event', 'list', '--name', 'client.deleted', '--limit', '1')
  assert.equal(actorKind(changed), 'user')
  assert.equal((await json('event', 'show', String(changed?.['id'])))['name'], 'client.deleted')

  // What is dangerous asks for a fresh strong sign-in; at the machine itself nobody is asked.
  const dangerous = await run('user', 'delete', 'alice', '--yes')
  assert.deepEqual([dangerous.code, dangerous.stderr.includes('with a second factor')], [1, true], dangerous.stderr)
  assert.equal((await here.call(['user', 'delete', 'alice', '--yes'])).code, 0)
  assert.equal((await run('user', 'show', 'alice')).code, 3)
})

test('the same words act on the database of the settings, and the log names the operator', async () => {
  using here = folder()
  here.write('seed.json', seed)
  await using server = await here.start([], { GRANTOR_DEVICE_INTERVAL: '1s', GRANTOR_SEED: 'seed.json' })
  assert.equal(await signIn(here, server.ready.issuer, 'alice'), 0)
  const list = async (...words: string[]) => (await here.json(...words)) as unknown as Documents
  const { id, username } = await here.json('user', 'show', 'alice')
  assert.equal(username, 'alice')
  const [grant] = await list('grant', 'list', '--subject', String(id))
  assert.equal((await here.json('grant', 'revoke', String(grant?.['id'])))['revoked'], true)
  assert.equal((await here.json('client', 'update', 'svc', '--set', 'client_name=Other'))['client_name'], 'Other')
  assert.equal((await here.call(['client', 'update', 'none', '--set', 'client_name=x'])).code, 3)
  const [event] = await list('event', 'list', '--name', 'client.updated', '--limit', '1')
  assert.equal(actorKind(event), 'operator')
  const locks = await here.call(['lock', 'list'])
  assert.deepEqual([locks.code, locks.stderr.includes('only the server that runs knows')], [2, true], locks.stderr)
})

test('names and ids of digits are text to an action, and what is counted is a number', async () => {
  using here = folder()
  here.write('people.csv', 'id,username\n1001,ada\n')
  await here.json('import', 'csv', 'people.csv')
  await here.json('client', 'create', '4711', '--grant-type', 'client_credentials')
  const { id } = await here.json('group', 'create', '--set', 'name=staff')
  for (const words of [
    ['grant', 'revoke-all', '--subject', '1001', '--client-id', '4711'],
    ['group', 'members', String(id), '--add', '1001'],
    ['user', 'invite', '--email', 'bob@example.com', '--name', '007', '--link', '--expires-in', '3600'],
  ]) {
    const { code, stderr } = await here.call([...words, '--json'])
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
  }
  const [ada] = (await here.json('user', 'list', '--group-id', String(id))) as unknown as Documents
  assert.equal(ada?.['id'], '1001')
  const uncounted = await here.call(['user', 'invite', '--email', 'c@example.com', '--expires-in', 'soon'])
  assert.deepEqual([uncounted.code, uncounted.stderr.includes('whole number')], [2, true], uncounted.stderr)
})

test('an id that begins with a hyphen stands behind two of them, and whoever forgets is told so', async () => {
  using here = folder()
  const taken = await here.call(['grant', 'show', '-abc'])
  assert.deepEqual([taken.code, taken.stderr.includes('stands behind --')], [2, true], taken.stderr)
  const read = await here.call(['grant', 'show', '--', '-abc'])
  assert.deepEqual([read.code, read.stderr.includes('there is no grant -abc')], [3, true], read.stderr)
  assert.equal((await here.call(['grant', 'list', '--subject=-abc'])).code, 0)
})

test('--wait follows the receipt of what was revoked, and says what came of it', async () => {
  using here = folder()
  await using server = await here.start(['--demo'])
  assert.ok(server.ready.demo_port !== undefined)
  const set = (disabled: boolean, ...words: readonly string[]) =>
    here.call(['client', 'update', 'demo-service', '--set', `disabled:=${disabled}`, '--wait', ...words])
  // The API of the demo is a validator as soon as it reads the feed.
  let receipt: JsonObject | undefined
  while (receipt?.['validators'] !== 1) {
    const { stdout } = await set(true, '--json')
    receipt = (JSON.parse(stdout) as { readonly receipt?: JsonObject }).receipt
    assert.deepEqual([receipt?.['name'], receipt?.['waiting']], ['client.updated', 0])
    assert.doesNotMatch((await set(false)).stdout, /receipt/)
  }
  const { stdout } = await set(true)
  assert.match(stdout, /^receipt +1 of 1 validator stopped it, slowest [\d.]+ m?s$/m)
  const list = (...words: readonly string[]) => here.call(['revocation', 'list', '--limit', '1', ...words])
  assert.match((await list()).stdout, /client\.updated +demo-service +1 of 1 validator stopped it, slowest/)
  const { stdout: id } = await list('--quiet')
  assert.match((await here.call(['revocation', 'show', id.trim()])).stdout, /^name +client\.updated$/m)
})

test('a receipt in one sentence: who stopped it, how fast, and what becomes of the others', () => {
  const closes_at = '2026-11-15T12:00:05.000Z'
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ validators: 0 }, 'nobody reads the feed; whoever asks the server refuses it from now on'],
    [{}, 'not kept any more: receipts are kept for a day'],
    [{ validators: 1, acknowledged: 1, slowest_ms: 7 }, '1 of 1 validator stopped it, slowest 7 ms'],
    [{ validators: 2, acknowledged: 2, slowest_ms: 10_397 }, '2 of 2 validators stopped it, slowest 10.4 s'],
    [
      { validators: 3, acknowledged: 1, closed: 2, not_acknowledging: 1, closes_at },
      '1 of 3 validators stopped it; 2 unreachable, closed by their own bound at 12:00:05Z; 1 of these without any acknowledgements',
    ],
    [
      { validators: 39, acknowledged: 37, slowest_ms: 41, closed: 2, closes_at },
      '37 of 39 validators stopped it, slowest 41 ms; 2 unreachable, closed by their own bound at 12:00:05Z',
    ],
    [
      { validators: 2, acknowledged: 0, waiting: 2, closes_at },
      '0 of 2 validators stopped it; 2 not heard from, closed by their own bound at 12:00:05Z at the latest',
    ],
  ]
  for (const [receipt, sentence] of cases) assert.equal(receiptSentence(receipt), sentence)
})

test('a server that is away, is none, or is not ours ends with its own code, and the database is not touched', async () => {
  using here = folder()
  const env = { XDG_CONFIG_HOME: here.path }
  const code = async (...words: readonly string[]) => (await here.call(words, { env })).code
  assert.equal(await code('user', 'list', '--server', 'ftp://x'), 2)
  assert.equal(await code('user', 'list', '--server', 'https://localhost:1'), 3)
  assert.equal(await code('user', 'create', 'x', '--password-file', 'none', '--server', 'https://localhost:1'), 3)
  assert.throws(() => here.read('data/grantor.db'), /ENOENT/)
})

test('docs/cli.md is what `npm run docs` writes', () => {
  const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  assert.equal(page, commandLinePage(commands, outputOptions))
})

test('completion in bash: commands, verbs and options, also behind options; all shells know every verb of every noun', async () => {
  using here = folder()
  const { stdout: script } = await here.call(['completion', 'bash'])
  const complete = (...words: readonly string[]): readonly string[] => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const text = `${script}\nCOMP_WORDS=(grantor ${line}); COMP_CWORD=${words.length}; _grantor; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', text], { encoding: 'utf8' }).stdout.trim().split('\n')
  }
  assert.deepEqual(complete('ses'), ['session'])
  assert.deepEqual(complete('session', ''), ['list', 'show', 'revoke'])
  assert.deepEqual(complete('grant', 'list', '--cl'), ['--client-id'])
  assert.deepEqual(complete('grant', 'list', '--subject', 'client', '--cl'), ['--client-id'])
  assert.ok(complete('client', 'create', '--').includes('--set'))
  assert.equal((await here.call(['completion', 'tcsh'])).code, 2)
  const all = completedWords(commands, outputOptions)
  for (const shell of shells) {
    const text = completionScript(shell, all)
    for (const { name, verbs } of nouns)
      for (const verb of verbs)
        assert.ok(text.includes(` ${name} ${wordOf(verb)}`), `${shell}: ${name} ${wordOf(verb)}`)
  }
})

/** Lines that print what each shell offers for what was typed so far; the last word is the one that is being typed. */
const offered = {
  zsh: (script: string, words: readonly string[]) =>
    `compdef() { : }; compadd() { shift; print -l -- "$@" }; _files() { : }
${script}
words=(grantor ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _grantor`,
  fish: (script: string, words: readonly string[]) => `${script}\ncomplete -C 'grantor ${words.join(' ')}'`,
} as const

/** Without the settings of whoever runs the tests. */
const bareShell = { zsh: '-f', fish: '--no-config' } as const

for (const shell of ['zsh', 'fish'] as const) {
  const absent = spawnSync(shell, ['--version']).error !== undefined
  test(`completion in ${shell}`, { skip: absent && `${shell} is not installed` }, () => {
    const script = completionScript(shell, completedWords(commands, outputOptions))
    using here = folder()
    const complete = (...words: readonly string[]): readonly string[] => {
      // The script is longer than an argument may be.
      const file = here.write('offered', offered[shell](script, words))
      const { stdout, stderr } = spawnSync(shell, [bareShell[shell], file], { cwd: here.path, encoding: 'utf8' })
      assert.equal(stderr, '')
      const typed = words.at(-1) ?? ''
      const lines = stdout.trim().split('\n')
      return lines.map((line) => line.split('\t', 1).join('')).filter((word) => word.startsWith(typed))
    }
    assert.deepEqual(complete('ses'), ['session'])
    assert.deepEqual([...complete('session', '')].sort(), ['list', 'revoke', 'show'])
    assert.deepEqual(complete('grant', 'list', '--subject', 'client', '--cl'), ['--client-id'])
  })
}
