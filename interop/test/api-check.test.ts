/** `grantor api check` against our own APIs, which keep every convention, and against an application that knows none of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoApis } from '../demo-apis.ts'
import { fastifyApplication } from '../fastify-app.ts'
import { runCommand, temporaryFolder } from '../server.ts'

interface Printed {
  readonly summary: Readonly<Record<'pass' | 'fail' | 'warn' | 'skip', number>>
  readonly checks: readonly { readonly name: string; readonly outcome: string; readonly detail: string }[]
}

test('Orders and the admin API keep every convention that is checked, also when written to', async () => {
  await using apis = await openDemoApis()
  using folder = temporaryFolder()
  for (const { name, origin, token } of [apis.orders, apis.admin]) {
    const args = ['api', 'check', origin, '--token', token, '--ca', apis.caFile, '--write', '--json']
    const { code, stdout, stderr } = await runCommand(args, { data: folder.path })
    const { checks, summary } = JSON.parse(stdout) as Printed
    const failed = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    assert.deepEqual([code, failed], [0, []], `${name}: ${stderr}`)
    assert.ok(summary.pass > 25, `${name}: ${summary.pass} passed`)
  }
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
