/** Reaching an issuer over TLS: a private authority is believed only where it is named. */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { fetchTransport, nodeTransport, createOutbound } from '../../src/issuer/outbound.ts'
import { systemTime } from '../../src/time.ts'

/** A throw-away authority and the certificate it gave to localhost; good for a hundred years, worth nothing. */
const ca = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT+gAwIBAgIUFF5qedYsIBTtU7S+mXpSP2aHXHMwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWUHJpdmF0ZSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMTUwMjQ3
MDFaGA8yMTI2MTAyMjAyNDcwMVowITEfMB0GA1UEAwwWUHJpdmF0ZSB0ZXN0IGF1
dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNJ4a5pbt+PjQEGMg/qW
Ka1p6hxjsOg+h4G1coARwmLZuei4rNQBRa0TOfxui6EQ1CPy2Phh++bPhGRxMSL8
9I+jUzBRMB0GA1UdDgQWBBS+oiRDZuKHtHhWP8KcF5dx8ijk3jAfBgNVHSMEGDAW
gBS+oiRDZuKHtHhWP8KcF5dx8ijk3jAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0cAMEQCIC8oBdUjV99VP6gLblwhTEE8YfPboSv7809q7q/kNPlOAiBnehKl
yM1SUCHmh80FI3jz8va/xFDj9EKVJKxeNtR8WA==
-----END CERTIFICATE-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT2gAwIBAgIUO9N4O8bdXdMWv1NorUJGjw/FeSUwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWUHJpdmF0ZSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMTUwMjQ3
MDFaGA8yMTI2MTAyMjAyNDcwMVowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEv9u1bAzYEh7Y7XGeZJZ+iKAXvs9ezH/tsUDx
Vjlgf2S1YBupv9Ns8d2i/ywODcKRUdnujhDWOmUFmyG+NWfDraNeMFwwGgYDVR0R
BBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBSMrwH/xTaLu5w8K21Q+PdM
+BpkGzAfBgNVHSMEGDAWgBS+oiRDZuKHtHhWP8KcF5dx8ijk3jAKBggqhkjOPQQD
AgNJADBGAiEA4L3Le69ke4cDPXpmgCKTgN5GyfM8IH9FqyQiTwqDOYwCIQCMiGsw
OZV2r8WFAfsiq0JyndH0TWVuXuOXzZagvCcmgQ==
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYLo4pNCG52/XuGzi
napa7CH/cUOzGDp/u2yEVERM5aKhRANCAAS/27VsDNgSHtjtcZ5kln6IoBe+z17M
f+2xQPFWOWB/ZLVgG6m/02zx3aL/LA4NwpFR2e6OENY6ZQWbIb41Z8Ot
-----END PRIVATE KEY-----`

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
