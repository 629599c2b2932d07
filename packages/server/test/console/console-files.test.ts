/** The console as the server gives it out: one page at every address, files for ever, nothing that is not there. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { builtConsole, encodingFor, readConsoleFiles } from '../../src/console/files.ts'
import { type FeedDeployment, startFeedDeployment } from '../feed/feed-deployment.ts'

let it: FeedDeployment
before(async () => {
  it = await startFeedDeployment('sqlite')
})
after(() => it[Symbol.asyncDispose]())

const files = () => {
  const read = readConsoleFiles(builtConsole)
  assert.ok(read !== null, 'npm ci builds the console')
  return read
}

test('every page of the console is the same document, under the policy of a page, kept only by its tag', async () => {
  for (const path of ['/console', '/console/', '/console/clients/a%2Fb', '/t/acme/console', '/t/acme/console/x?y=1']) {
    const answer = await it.ask(path)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.body, files().index.plain.toString(), path)
    const policy = String(answer.headers['content-security-policy'])
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      assert.ok(policy.split('; ').includes(part), part)
    assert.ok(!policy.includes('unsafe'))
    assert.equal(answer.headers['cache-control'], 'no-cache')
    assert.equal(answer.headers['x-frame-options'], 'DENY')
    const again = await it.ask(path, { headers: { 'if-none-match': String(answer.headers['etag']) } })
    assert.equal(again.status, 304)
  }
})

test('a tenant has the client of its console as soon as that is opened', async () => {
  assert.equal((await it.ask('/t/globex/console')).status, 200)
  const found = await it.deployment.authority.admin.clients.find('globex' as TenantId, 'grantor-console')
  assert.ok(found.kind === 'ok')
  const { redirect_uris: uris } = found.value.metadata as { redirect_uris?: readonly string[] }
  assert.deepEqual(uris, [`${it.running.issuer}/t/globex/console/callback`])
})

test('a file is kept for ever, and what is not there is not found', async () => {
  const name =
    files()
      .assets.keys()
      .find((file) => file.endsWith('.js')) ?? ''
  const answer = await it.ask(`/console/assets/${name}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
  const absent = ['/console/assets/none.js', '/console/assets/', '/console/assets/..%2findex.html', '/t/none/console']
  for (const path of [...absent, `/t/acme/console/assets/../../../x`, `/console/assets/${name}.br`])
    assert.equal((await it.ask(path)).status, 404, path)
  assert.equal((await it.ask('/console', { method: 'POST' })).status, 405)
})

test('RFC 9110 §12.5.3: compressed for who names the encoding, each representation with its own tag', async () => {
  const { index } = files()
  assert.equal(encodingFor(index, 'gzip, br'), 'br')
  assert.equal(encodingFor(index, 'br;q=0, gzip;q=0.5'), 'gzip')
  assert.equal(encodingFor(index, 'identity'), null)
  assert.equal(encodingFor(index, undefined), null)
  const tags = new Set<string>()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { headers } = await it.ask('/console', { headers: { 'accept-encoding': encoding } })
    assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
    assert.equal(headers['vary'], 'accept-encoding')
    tags.add(String(headers['etag']))
  }
  assert.equal(tags.size, 3)
})

test('without a build there is no console, and no fault', () => {
  assert.equal(readConsoleFiles('/nowhere'), null)
  assert.ok(existsSync(builtConsole))
})
