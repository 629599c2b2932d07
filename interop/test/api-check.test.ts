/** `grantor api check` against our own APIs, which keep every convention, and against an application that knows none of them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fastify, type FastifyPluginAsync } from 'fastify'
import { type DescribedApi, openDemoApis } from '../demo-apis.ts'
import { fastifyApplication } from '../fastify-app.ts'
import { runCommand, temporaryFolder } from '../server.ts'

interface Printed {
  readonly summary: Readonly<Record<'pass' | 'fail' | 'warn' | 'skip', number>>
  readonly checks: readonly { readonly name: string; readonly outcome: string; readonly detail: string }[]
}

/** One for both tests: the second changes nothing. */
const shared = new AsyncDisposableStack()
after(() => shared.disposeAsync())
let opened: ReturnType<typeof openDemoApis> | null = null
const demoApis = async () => {
  const first = opened === null
  const apis = await (opened ??= openDemoApis())
  if (first) shared.use(apis)
  return apis
}

test('Orders and the admin API keep every convention that is checked, also when written to', async () => {
  const apis = await demoApis()
  using folder = temporaryFolder()
  const check = async ({ name, origin, token, scopelessToken }: DescribedApi): Promise<void> => {
    const tokens = ['--token', token, '--scopeless-token', scopelessToken]
    const args = ['api', 'check', origin, ...tokens, '--ca', apis.caFile, '--write', '--json']
    const { code, stdout, stderr } = await runCommand(args, { data: folder.path })
    const { checks, summary } = JSON.parse(stdout) as Printed
    const failed = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    assert.deepEqual([code, failed], [0, []], `${name}: ${stderr}`)
    assert.ok(summary.pass > 25, `${name}: ${summary.pass} passed`)
  }
  await Promise.all([check(apis.orders), check(apis.admin)])
})

test('with --issuer it gets its token itself, and says why where it gets none', async () => {
  const apis = await demoApis()
  using folder = temporaryFolder()
  const { origin, client } = apis.orders
  const check = async (issuer: string, secret: string) => {
    const from = ['--issuer', issuer, '--client-id', client.id, '--client-secret', secret, '--scope', 'orders:read']
    return runCommand(['api', 'check', origin, ...from, '--ca', apis.caFile, '--json'], { data: folder.path })
  }
  const { issuer } = apis.server
  const { code, stdout, stderr } = await check(issuer, client.secret)
  assert.equal(code, 0, `${stdout} ${stderr}`)
  const { checks } = JSON.parse(stdout) as Printed
  assert.equal(checks.find(({ name }) => name === 'the list can be read')?.outcome, 'pass')
  const wrong = [
    [issuer, 'a-wrong-secret-of-32-or-more-characters', /token endpoint answers 401/],
    [`${issuer}/t/nobody`, client.secret, /metadata: answers 404/],
    [`${issuer}/`, client.secret, /calls itself|metadata: answers/],
    [issuer.replace('https:', 'http:'), client.secret, /https address/],
  ] as const
  await Promise.all(
    wrong.map(async ([at, secret, why]) => {
      const refused = await check(at, secret)
      assert.deepEqual([refused.code, refused.stdout], [5, ''], at)
      assert.match(refused.stderr, why)
      assert.ok(!refused.stderr.includes(secret))
    }),
  )
})

test('a plain Fastify application is told what it lacks, and nothing about it breaks the check', async () => {
  const app = fastifyApplication()
  try {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    using folder = temporaryFolder()
    const { code, stdout } = await runCommand(['api', 'check', origin, '--write', '--json'], { data: folder.path })
    const { checks } = JSON.parse(stdout) as Printed
    const found = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))
    assert.equal(code, 1)
    for (const name of ['the list can be read', 'HEAD is GET without the content', 'malformed JSON is 400'])
      assert.equal(found[name], 'pass', name)
    for (const name of [
      'refusals are problem details',
      'unknown parameter is 400',
      'the same key gives the same answer',
    ])
      assert.equal(found[name], 'fail', name)
    assert.equal(found['no token is 401 with a challenge'], 'skip')
  } finally {
    await app.close()
  }
})

/** The pet store that `fastify-openapi-glue` brings as its example, by the address of one of its files. */
const petStore = (file: string): URL =>
  new URL(`examples/petstore/${file}`, import.meta.resolve('fastify-openapi-glue'))

test('an application that nobody here wrote: the pet store of fastify-openapi-glue, checked by its own document', async () => {
  const { default: plugin, options } = (await import(petStore('index.js').href)) as {
    readonly default: FastifyPluginAsync
    readonly options: object
  }
  const app = fastify(options)
  await app.register(plugin)
  const document = readFileSync(petStore('petstore-openapi.v3.json'), 'utf8')
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(document))
  try {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    using folder = temporaryFolder()
    const { code, stdout } = await runCommand(['api', 'check', origin, '--write', '--json'], { data: folder.path })
    const { checks } = JSON.parse(stdout) as Printed
    const found = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))
    assert.equal(code, 1)
    // Its document promises lists, tokens and pages; its handlers were never written.
    for (const [name, outcome] of [
      ['unknown address is 404', 'pass'],
      ['HEAD is GET without the content', 'pass'],
      ['the list can be read', 'fail'],
      ['answers have documented statuses', 'fail'],
      ['refusals are problem details', 'fail'],
      ['no token is 401 with a challenge', 'fail'],
      ['the same key gives the same answer', 'skip'],
    ] as const)
      assert.equal(found[name], outcome, name)
    assert.ok(checks.every(({ detail }) => detail !== '' && !/undefined|\[object|answers answers/.test(detail)))
  } finally {
    await app.close()
  }
})
