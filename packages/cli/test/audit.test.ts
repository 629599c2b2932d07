/** The log at the command line: what happened, in order, and readable by scripts. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { type Folder, folder, shim } from './grantor.ts'

async function withEvents(here: Folder): Promise<void> {
  const client = (at: number) =>
    `  - { client_id: c${at}, client_secret: a-secret-of-32-or-more-characters-${at}-, grant_types: [client_credentials] }\n`
  here.write('objects.yaml', `clients:\n${Array.from({ length: 30 }, (_, at) => client(at)).join('')}`)
  await here.json('apply', 'objects.yaml')
}

const events = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('docs/events.md: an event has these fields, in JSON lines', async () => {
  using here = folder()
  await withEvents(here)
  const { stdout } = await here.call(['audit', 'tail', '--json', '--count', '1'])
  const [event, ...more] = events(stdout)
  assert.deepEqual(more, [])
  const fields = 'id seq at tenant name actor subject client_id grant_id jti scope reason ip trace_id data'
  assert.deepEqual(Object.keys(event ?? {}), fields.split(' '))
  assert.match(String(event?.['at']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('tail shows the newest twenty, oldest first; export shows all and resumes after a sequence number', async () => {
  using here = folder()
  await withEvents(here)
  const all = events((await here.run(['audit', 'export'])).stdout)
  assert.ok(all.length >= 30)
  assert.deepEqual(
    all.map(({ seq }) => seq),
    all.map((_, at) => at + 1),
  )
  assert.deepEqual(events((await here.call(['audit', 'tail', '--json'])).stdout), all.slice(-20))
  assert.deepEqual(events((await here.call(['audit', 'export', '--after', '25'])).stdout), all.slice(25))
  const following = await here.call(['audit', 'tail', '--count', '0', '--follow'])
  assert.deepEqual([following.code, following.stdout], [0, ''], 'only what comes')
  for (const command of ['tail', 'export'])
    assert.equal((await here.call(['audit', command, '--tenant', 'nobody'])).code, 3, command)
})

test('for a person an event is one line', async () => {
  using here = folder()
  await withEvents(here)
  const { stdout } = await here.call(['audit', 'tail', '--count', '3'])
  const lines = stdout.trimEnd().split('\n')
  assert.equal(lines.length, 3)
  for (const line of lines) assert.match(line, /^ *\d+ {2}\d{4}-\d\d-\d\d [\d:]+Z {2}client\.registered +\w+/)
})

test('a reader that goes away is no error', async () => {
  using here = folder()
  await withEvents(here)
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `{ "$0" "$1" audit export; echo "code $?" >&2; } | head -n 1`, process.execPath, shim],
    {
      cwd: here.path,
      encoding: 'utf8',
    },
  )
  assert.deepEqual([status, stdout.trimEnd().split('\n').length], [0, 1])
  assert.equal(stderr, 'code 0\n')
})
