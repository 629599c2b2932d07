/** Reaching an issuer over TLS: a private authority is believed only where it is named. */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { fetchTransport, nodeTransport, createOutbound } from '../../src/issuer/outbound.ts'
import { systemTime } from '../../src/time.ts'
import { authority as ca, issued as cert, issuedKey as key } from '../../../protocol/test/mtls/throw-away.ts'

const limit = { bytes: 1000, milliseconds: 5000 }

async function serving(t: TestContext): Promise<string> {
  const server = createServer({ cert, key }, (request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/' }).end()
    if (request.url === '/large') return response.end('x'.repeat(1001))
    if (request.url === '/never') return response.flushHeaders()
    return response.end(`hello ${request.headers['accept']}`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

test('A server of a private authority is reached where the authority is named, and not otherwise', async (t) => {
  const url = await serving(t)
  const headers = { accept: 'text/plain' }
  const named = await createOutbound(nodeTransport(ca), systemTime).fetchWhole({ url, headers }, limit)
  assert.equal(named?.text, 'hello text/plain')
  assert.equal(await createOutbound(nodeTransport(), systemTime).fetchWhole({ url, headers }, limit), null)
  assert.equal(await createOutbound(fetchTransport(fetch), systemTime).fetchWhole({ url, headers }, limit), null)
})

test('Redirects are not followed, large answers are cut, slow ones are given up', async (t) => {
  const url = await serving(t)
  const outbound = createOutbound(nodeTransport(ca), systemTime)
  assert.equal((await outbound.fetchWhole({ url: `${url}/moved` }, limit))?.status, 302)
  assert.equal(await outbound.fetchWhole({ url: `${url}/large` }, limit), null)
  assert.equal(await outbound.fetchWhole({ url: `${url}/never` }, { ...limit, milliseconds: 50 }), null)
})
