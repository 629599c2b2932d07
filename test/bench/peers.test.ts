/** The bench of peers: what the load generator reads of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { applyLoad } from '../../bench/load.ts'

test('an answer in chunks is read whole, and the next one is another', async () => {
  await using server = createServer((request, response) => {
    response.write(`{"path":"${request.url}",`)
    setImmediate(() => response.end('"word":"Grüße"}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const bodies: string[] = []
  const { failures } = await applyLoad({
    port,
    connections: 1,
    requests: 2,
    request: () => Buffer.from(`GET /${bodies.length} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    answered: (_status, body) => void bodies.push(body),
  })
  assert.equal(failures, 0)
  assert.deepEqual(bodies, ['{"path":"/0","word":"Grüße"}', '{"path":"/1","word":"Grüße"}'])
})
