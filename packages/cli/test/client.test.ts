/** Clients at the command line: made, shown, rotated, deleted; secrets seen once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folder } from './grantor.ts'

test('a created client shows its generated secret once, and never again', async () => {
  using here = folder()
  const made = await here.json(
    'client',
    'create',
    'svc',
    '--client-name',
    'Service',
    '--grant-type',
    'client_credentials',
  )
  const secret = String(made['client_secret'])
  assert.match(secret, /^gs_[\w-]{43}$/)
  assert.deepEqual(
    [made['client_id'], made['client_name'], made['tenant'], made['origin']],
    ['svc', 'Service', 'default', 'manual'],
  )
  for (const args of [['client', 'show', 'svc'], ['client', 'list'], ['export'], ['audit', 'tail']]) {
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await here.call([...args, ...form])
      assert.equal(code, 0, stderr)
      assert.ok(!`${stdout}${stderr}`.includes(secret.slice(3)), `${args.join(' ')} shows the secret`)
      assert.doesNotMatch(stdout, /handle/)
    }
  }
})

test('without an id one is made; with --file the metadata come from there and flags beat them', async () => {
  using here = folder()
  const made = await here.json('client', 'create', '--grant-type', 'client_credentials')
  assert.match(String(made['client_id']), /^[\w-]{8,}$/)
  here.write(
    'client.yaml',
    'client_id: web\nclient_name: From file\ngrant_types: [authorization_code]\nredirect_uris: [https://a.example/cb]\n',
  )
  const web = await here.json('client', 'create', '--file', 'client.yaml', '--client-name', 'From flag')
  assert.deepEqual(
    [web['client_id'], web['client_name'], web['redirect_uris']],
    ['web', 'From flag', ['https://a.example/cb']],
  )
  const list = (await here.json('client', 'list')) as unknown as { client_id: string }[]
  assert.deepEqual(new Set(list.map((it) => it.client_id)), new Set([made['client_id'], 'web']))
})

test('what is wrong with a client is named by field, and by line when it stands in a file', async () => {
  using here = folder()
  const flags = await here.run(['client', 'create', 'bad', '--redirect-uri', 'not a uri'])
  assert.equal(flags.code, 2)
  assert.match(flags.stderr, /redirect_uris\[0\]: /)
  here.write('client.yaml', 'client_id: bad\nredirect_uris:\n  - https://a.example/cb\n  - not a uri\n')
  const file = await here.call(['client', 'create', '--file', 'client.yaml'])
  assert.equal(file.code, 2)
  assert.match(file.stderr, /client\.yaml:4: redirect_uris\[1\]: /)
  assert.equal((await here.call(['client', 'show', 'bad'])).code, 3)
})

test('a scope that is not declared is refused, by flag and by file, and makes no client', async () => {
  using here = folder()
  const service = ['client', 'create', 'svc', '--grant-type', 'client_credentials']
  const flag = await here.run([...service, '--scope', 'orders:raed'])
  assert.equal(flag.code, 2)
  assert.match(flag.stderr, /scope: names orders:raed, which is not declared/)
  here.write('client.yaml', 'client_id: svc\ngrant_types: [client_credentials]\nscope: orders:raed\n')
  const file = await here.call(['client', 'create', '--file', 'client.yaml'])
  assert.equal(file.code, 2)
  assert.match(file.stderr, /client\.yaml:3: scope: names orders:raed/)
  assert.equal((await here.call(['client', 'show', 'svc'])).code, 3)
  here.write(
    'objects.yaml',
    'resources: [{ identifier: https://api.example, name: API }]\nscopes: [{ name: orders:read, description: Read, resource: https://api.example }]\n',
  )
  await here.json('apply', 'objects.yaml')
  const made = await here.json(...service, '--scope', 'orders:read')
  assert.equal(made['scope'], 'orders:read')
})

test('a secret that was handed in is taken and not shown', async () => {
  using here = folder()
  const secret = 'a-secret-of-32-or-more-characters-long'
  here.write('secret.txt', `${secret}\n`)
  const { code, stdout, stderr } = await here.call([
    'client',
    'create',
    'svc',
    '--grant-type',
    'client_credentials',
    '--secret-file',
    'secret.txt',
  ])
  assert.equal(code, 0, stderr)
  assert.ok(!stdout.includes(secret))
  here.write(
    'same.yaml',
    `clients: [{ client_id: svc, client_secret: ${secret}, grant_types: [client_credentials] }]\n`,
  )
  const plan = (await here.json('plan', 'same.yaml')) as { steps: { fields: { field: string }[] }[] }
  assert.ok(
    plan.steps.every(({ fields }) => fields.every(({ field }) => field !== 'client_secret')),
    'the secret is the one handed in',
  )
})

test('a secret that is too short to be kept as a hash is refused', async () => {
  using here = folder()
  here.write('secret.txt', 'short\n')
  const { code, stderr } = await here.call([
    'client',
    'create',
    'svc',
    '--secret-file',
    'secret.txt',
    '--grant-type',
    'client_credentials',
  ])
  assert.equal(code, 2)
  assert.match(stderr, /client_secret.*32/)
})

test('an id that is taken ends with 4; an id that cannot be one with 2; an unknown client with 3', async () => {
  using here = folder()
  await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  assert.equal((await here.call(['client', 'create', 'svc', '--grant-type', 'client_credentials'])).code, 4)
  assert.equal((await here.call(['client', 'create', 'two words', '--grant-type', 'client_credentials'])).code, 2)
  for (const args of [
    ['show', 'x'],
    ['rotate-secret', 'x'],
    ['delete', 'x'],
  ]) {
    const { code, stderr } = await here.call(['client', ...args])
    assert.equal(code, 3, stderr)
    assert.match(stderr, /there is no client x/)
  }
  const elsewhere = await here.call([
    'client',
    'create',
    'svc',
    '--grant-type',
    'client_credentials',
    '--tenant',
    'nowhere',
  ])
  assert.equal(elsewhere.code, 3, elsewhere.stderr)
})

test('rotation gives another secret and says until when the old ones live', async () => {
  using here = folder()
  const made = await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  const rotated = await here.json('client', 'rotate-secret', 'svc', '--overlap', '60')
  assert.match(String(rotated['client_secret']), /^gs_/)
  assert.notEqual(rotated['client_secret'], made['client_secret'])
  const secrets = rotated['secrets'] as readonly { readonly created_at: string; readonly expires_at: string | null }[]
  assert.equal(secrets.length, 2)
  assert.equal(secrets.filter(({ expires_at: at }) => at === null).length, 1)
})

test('old secrets live thirty days more at the most: beyond it nothing is changed, and the client can be read', async () => {
  using here = folder()
  await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  const before = await here.json('client', 'show', 'svc')
  for (const overlap of ['2592001', '10000000000000']) {
    const { code, stderr } = await here.call(['client', 'rotate-secret', 'svc', '--overlap', overlap])
    assert.deepEqual([code, /overlap: must be .*30 days/.test(stderr)], [2, true], stderr)
  }
  assert.deepEqual(await here.json('client', 'show', 'svc'), before)
  assert.equal((await here.call(['client', 'rotate-secret', 'svc', '--overlap', '2592000'])).code, 0)
})

test('a deleted client is gone, and the log knows who did it', async () => {
  using here = folder()
  await here.json('client', 'create', 'svc', '--grant-type', 'client_credentials')
  assert.deepEqual(await here.json('client', 'delete', 'svc'), { client_id: 'svc', deleted: true })
  assert.equal((await here.call(['client', 'show', 'svc'])).code, 3)
  const { stdout } = await here.call(['audit', 'tail', '--json'])
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    name: string
    client_id: string
    actor: { kind: string; id: string }
  }
  assert.deepEqual([last.name, last.client_id, last.actor.kind], ['client.deleted', 'svc', 'operator'])
  assert.ok(last.actor.id.length > 0)
})

test('an empty list says so on stderr and prints no table', async () => {
  using here = folder()
  const human = await here.call(['client', 'list'])
  assert.deepEqual([human.code, human.stdout], [0, ''])
  assert.match(human.stderr, /no clients yet/)
  assert.deepEqual(await here.json('client', 'list'), [])
})

test('a name that holds control characters cannot move the cursor', async () => {
  using here = folder()
  here.write(
    'client.json',
    JSON.stringify({ client_id: 'x', client_name: 'a\u001b[2Jb\u202ec', grant_types: ['client_credentials'] }),
  )
  const made = await here.run(['client', 'create', '--file', 'client.json'])
  const listed = await here.call(['client', 'list'])
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  for (const { stdout, stderr } of [made, listed]) assert.doesNotMatch(stdout + stderr, /[\u001b\u202e]/)
})
