/** Declared objects through plan, apply and export. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { folder } from './grantor.ts'

const secret = 'a-secret-of-32-or-more-characters-long'
const file = `resources:
  - { identifier: https://api.example, name: Invoices API, token_format: jwt }
scopes:
  - { name: invoices:read, description: See your invoices, resource: https://api.example }
clients:
  - client_id: svc
    client_name: Service
    client_secret: ${secret}
    grant_types: [client_credentials]
    scope: invoices:read
`

interface Plan {
  readonly steps: readonly {
    readonly kind: string
    readonly id: string
    readonly act: string
    readonly fields: readonly { readonly field: string }[]
  }[]
}

test('plan shows what apply would do and changes nothing; apply does it; a second apply changes nothing', async () => {
  using here = folder()
  here.write('objects.yaml', file)
  const planned = (await here.json('plan', 'objects.yaml')) as unknown as Plan
  assert.deepEqual(
    planned.steps.filter(({ act }) => act === 'create').map(({ kind, id }) => `${kind} ${id}`),
    ['resource https://api.example', 'scope invoices:read', 'client svc'],
  )
  assert.equal((await here.call(['client', 'show', 'svc'])).code, 3)
  assert.deepEqual(await here.json('apply', 'objects.yaml'), planned)
  assert.deepEqual(await here.json('apply', 'objects.yaml'), { steps: [] })
  const before = (await here.call(['audit', 'tail', '--json'])).stdout
  const human = await here.call(['apply', 'objects.yaml'])
  assert.match(human.stdout, /^Nothing to change/)
  assert.equal((await here.call(['audit', 'tail', '--json'])).stdout, before, 'nothing changed, so nothing is logged')
})

test('a change is shown field by field, and never a secret', async () => {
  using here = folder()
  here.write('objects.yaml', file)
  await here.json('apply', 'objects.yaml')
  const other = 'another-secret-of-32-or-more-characters'
  here.write('objects.yaml', file.replace('Service', 'Renamed').replace(secret, other))
  const { code, stdout } = await here.call(['plan', 'objects.yaml'])
  assert.equal(code, 0)
  assert.match(stdout, /^~ client svc$/m)
  assert.match(stdout, /client_name: Service → Renamed/)
  assert.match(stdout, /0 created, 1 changed, 0 removed/)
  assert.doesNotMatch(stdout, new RegExp(`${secret}|${other}`))
})

test('export is the way back: what it writes is planned as nothing, and holds no secret', async () => {
  using here = folder()
  here.write('objects.yaml', file)
  await here.json('apply', 'objects.yaml')
  const yaml = await here.run(['export'])
  assert.equal(yaml.code, 0)
  assert.match(yaml.stdout, /client_id: svc/)
  assert.doesNotMatch(yaml.stdout, /secret-of|client_secret:/)
  here.write('back.yaml', yaml.stdout)
  assert.deepEqual(await here.json('plan', 'back.yaml'), { steps: [] })
  here.write('back.json', JSON.stringify(await here.json('export')))
  assert.deepEqual(await here.json('plan', 'back.json'), { steps: [] })
})

test('a bad file changes nothing and names file, line and field of everything that is wrong', async () => {
  using here = folder()
  const cases: readonly [text: string, places: readonly RegExp[]][] = [
    [
      file.replace(
        '[client_credentials]',
        '[client_credentials]\n    redirect_uris: [https://ok.example/cb, "not a uri"]',
      ),
      [/^ {2}bad\.yaml:10: clients\[0\]\.redirect_uris\[1\]: /m],
    ],
    [file.replace(secret, 'short'), [/^ {2}bad\.yaml:8: clients\[0\]\.client_secret: .*32/m]],
    [
      file
        .replace('token_format: jwt', 'token_format: paseto')
        .replace('scope: invoices:read\n', 'scope: invoices:pay\n'),
      [/bad\.yaml:2: resources\[0\]\.token_format: /],
    ],
    [`${file}colour: blue\n`, [/bad\.yaml:11: colour: /]],
    [file.replace('clients:', 'clients: {}\nextra:'), [/bad\.yaml:5: clients: must be a list/, /bad\.yaml:6: extra: /]],
    ['resources: [', [/bad\.yaml:1: /]],
    ['- a\n- b\n', [/bad\.yaml:1: must be an object/]],
    [
      'clients:\n  - client_id: a\n    client_secret_file: nowhere.txt\n',
      [/bad\.yaml:3: clients\[0\]\.client_secret_file: cannot be read \(ENOENT\)/],
    ],
    [
      `clients:\n  - client_id: a\n    client_secret_file: x\n    client_secret: ${secret}\n`,
      [/bad\.yaml:3: clients\[0\]\.client_secret_file: stands beside client_secret/],
    ],
  ]
  for (const [text, places] of cases) {
    here.write('bad.yaml', text)
    for (const command of ['plan', 'apply']) {
      const { code, stdout, stderr } = await here.call([command, 'bad.yaml'])
      assert.equal(code, 2, `${text}${stderr}`)
      assert.equal(stdout, '')
      for (const place of places) assert.match(stderr, place)
      assert.doesNotMatch(stderr, new RegExp(secret), 'a problem shows no secret')
    }
  }
  const { clients = [], resources = [] } = (await here.json('export')) as { clients?: unknown[]; resources?: unknown[] }
  assert.deepEqual([clients, resources], [[], []])
})

test('client_secret_file is read beside the declaration, wherever the command is run', async () => {
  using here = folder()
  mkdirSync(`${here.path}/etc`)
  here.write('etc/svc.secret', `${secret}\n`)
  here.write('etc/objects.yaml', file.replace(`client_secret: ${secret}`, 'client_secret_file: svc.secret'))
  await here.json('apply', 'etc/objects.yaml')
  here.write('inline.yaml', file)
  assert.deepEqual(await here.json('plan', 'inline.yaml'), { steps: [] }, 'the same secret, without its newline')
})

test('- reads the declaration from standard input, and names it in what is wrong', async () => {
  using here = folder()
  const good = await here.run(['apply', '-'], { stdin: file })
  assert.equal(good.code, 0, good.stderr)
  const bad = await here.run(['apply', '-'], { stdin: 'users: 1\nx: 2\n' })
  assert.equal(bad.code, 2)
  assert.match(bad.stderr, /stdin:2: x: /)
})

test('a file that is not there ends with 3', async () => {
  using here = folder()
  const { code, stderr } = await here.call(['apply', 'nowhere.yaml'])
  assert.equal(code, 3)
  assert.match(stderr, /there is no file nowhere\.yaml/)
})
