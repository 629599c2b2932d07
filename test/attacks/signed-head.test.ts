/** Documents that we sign for other purposes are no tokens: the head of the log, and the snapshot of the feed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../interop/server.ts'
import { authorizePath, Browser, refresh } from './browser.ts'
import { assertSafe } from './assert-safe.ts'
import { deploy } from './deployment.ts'
import { service, web } from './objects.ts'

test('RFC 8725 §3.11: the signed head of the log opens nothing, though a key of ours signed it', async () => {
  await using deployment = await deploy()
  const { http, data, server } = deployment
  const env = { GRANTOR_ISSUER: server.issuer }
  const { stdout } = await runCommand(['audit', 'head', '--json'], { data, env })
  const { signed } = JSON.parse(stdout) as { signed: string }
  const header = JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  assert.ok((await http.send('/jwks')).body.includes(header.kid))
  for (const path of ['/userinfo', '/revocations/snapshot', '/revocations/changes', '/metrics']) {
    const answer = await http.send(path, { bearer: signed })
    assertSafe(path, answer)
    assert.equal(answer.status, 401, path)
  }
  for (const basic of [web, service]) {
    const { body } = await http.send('/introspect', { basic, form: { token: signed } })
    assert.equal(body, '{"active":false}')
  }
  assert.equal((await refresh(http, signed)).status, 400)
  const hinted = await new Browser(http).visit(authorizePath({ prompt: 'none', id_token_hint: signed }))
  assert.match(hinted.headers.location ?? '', /error=invalid_request/)
})
