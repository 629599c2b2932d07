/** The command line: help, usage errors, exit codes, and what an old Node is told. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { commands } from '../src/commands/index.ts'
import { type Environment, runGrantor } from '../src/index.ts'
import { exitCodes } from '../src/program/exit.ts'
import { folder, shim } from './grantor.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string
}

test('--help goes to stdout and lists every command and every exit code', async () => {
  using here = folder()
  const { code, stdout, stderr } = await here.run(['--help'])
  assert.deepEqual([code, stderr], [0, ''])
  for (const { name, description } of commands.flatMap((section) => section.commands))
    assert.match(stdout, new RegExp(`^  ${name}\\b.*${description.slice(0, 20).replaceAll(/[^\w ]/g, '.')}`, 'm'))
  for (const { code: number, means } of Object.values(exitCodes))
    assert.match(stdout, new RegExp(`^  ${number}  ${means}$`, 'm'))
})

test('start --help lists the settings; other commands point at it and still take them', async () => {
  using here = folder()
  const [start, list] = await Promise.all([here.run(['start', '--help']), here.run(['client', 'list', '--help'])])
  assert.match(start.stdout, /^Settings:$/m)
  assert.match(start.stdout, /--database-url-file/)
  assert.match(start.stdout, /--master-key-file/)
  assert.doesNotMatch(start.stdout, /--master-key </, 'the master key must not stand in a process list')
  assert.doesNotMatch(list.stdout, /--database-url/)
  assert.match(list.stdout, /grantor start --help/)
  assert.match(list.stdout, /Exit codes:/)
})

test('bare grantor and grantor help print the help and exit 0; help of a command is that of the command', async () => {
  using here = folder()
  const [bare, help, whole] = [await here.call([]), await here.call(['help']), await here.call(['--help'])]
  for (const { code, stdout, stderr } of [bare, help]) {
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout, whole.stdout)
  }
  for (const { heading } of commands) assert.match(bare.stdout, new RegExp(`^${heading}:$`, 'm'))
  const ofGroup = await here.call(['help', 'grant'])
  assert.deepEqual([ofGroup.code, /revoke-all/.test(ofGroup.stdout)], [0, true])
})

test('--version prints the version of the package', async () => {
  using here = folder()
  assert.deepEqual(await here.run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('a usage error ends with 2, on stderr, and touches nothing', async () => {
  using here = folder()
  const cases: readonly [args: readonly string[], message: RegExp][] = [
    [['client'], /a command is missing/],
    [['clietn'], /unknown command 'clietn'[\s\S]*client/],
    [['client', 'lst'], /unknown command/],
    [['client', 'show'], /missing required argument 'client_id'/],
    [['client', 'show', 'a', 'b'], /too many arguments/],
    [['client', 'list', '--jsn'], /unknown option '--jsn'[\s\S]*--json/],
    [['client', 'rotate-secret', 'a', '--overlap', '-1'], /whole number/],
    [['audit', 'tail', '--count', '1e3'], /whole number/],
    [['start', '--tenant', 'x'], /unknown option '--tenant'/],
    [['key', 'drop', '-kid'], /unknown option '-kid'[\s\S]*stands behind --/],
    [['start', '--port', 'http'], /--port must be/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await here.call(args)
    assert.equal(code, 2, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, message)
    assert.match(stderr, /fix:/)
  }
  assert.throws(() => here.read('data/grantor.db'), /ENOENT/)
})

test('under --json a failure is one JSON line on stderr with its exit code', async () => {
  using here = folder()
  for (const args of [
    ['client', 'list', '--json', '--jsn'],
    ['apply', 'nowhere.yaml', '--json'],
  ]) {
    const { code, stdout, stderr } = await here.run(args)
    assert.equal(stdout, '')
    const { error } = JSON.parse(stderr) as { error: { kind: string; exit: number; what: string } }
    assert.equal(error.exit, code)
    assert.equal(stderr.trimEnd().split('\n').length, 1)
    assert.ok(error.what.length > 0)
  }
})

test('a defect under --json is one JSON line, too, and a failure that nobody reads keeps its exit code', async () => {
  using here = folder()
  const said: string[] = []
  const environment = (stderr: Environment['stderr']): Environment => ({
    env: {},
    cwd: here.path,
    stdin: Readable.from([]),
    stdout: { write: (_text, written) => (written?.(new Error('a fault of the stream')), true) },
    stderr,
    stopped: () => Promise.resolve(),
    onHangup: () => {},
  })
  const heard = environment({ write: (text, written) => (said.push(text), written?.(), true) })
  assert.equal(await runGrantor(['completion', 'bash', '--json'], heard), 1)
  const { error } = JSON.parse(said.join('')) as { error: { exit: number; what: string } }
  assert.deepEqual([error.exit, said.join('').trimEnd().split('\n').length], [1, 1])
  assert.match(error.what, /defect/)
  const gone = Object.assign(new Error('gone'), { code: 'EPIPE' })
  const unheard = environment({ write: (_text, written) => (written?.(gone), true) })
  assert.equal(await runGrantor(['apply', 'nowhere.yaml'], unheard), 3)
})

test('a folder in place of a file is told as one', async () => {
  using here = folder()
  for (const [args, exit] of [
    [['apply', '.'], 1],
    [['import', 'csv', '.'], 1],
    [['restore', '.'], 2],
  ] as const) {
    const { code, stderr } = await here.run([...args, '--json'])
    const { error } = JSON.parse(stderr) as { error: { exit: number; what: string } }
    assert.deepEqual([code, error.exit], [exit, exit], stderr)
    assert.match(error.what, /cannot be read \(EISDIR\)|is no file/)
  }
})

test('an old Node is told in one line what to do', () => {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', pretend, shim, 'client', 'list'], {
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^grantor needs Node 26 or newer, and this is 20\.11\.0: run `npm ci`.*`npx grantor`\n$/)
})
