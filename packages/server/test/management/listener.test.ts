/** The management listener over a raw socket: what could be read in two ways is answered 400. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openManagement } from '../../src/management/listener.ts'

for (const [what, head, status] of [
  ['one Host', 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
  ['two Hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['a Host that is a list', 'GET /health/live HTTP/1.1\r\nHost: a, b\r\n\r\n', 400],
  ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['another coding', 'GET /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 400],
  ['a target of another host', 'GET http://b/health/live HTTP/1.1\r\nHost: a\r\n\r\n', 400],
] as const)
  test(`RFC 9112 §3.2, §6.1: the management listener answers ${what} with ${status}`, async () => {
    const management = await openManagement(
      { host: '127.0.0.1', port: 0 },
      { ready: async () => [], metrics: async () => '' },
    )
    try {
      const socket = connect(management.port, '127.0.0.1')
      let heard = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk))
      socket.write(head)
      await once(socket, 'close')
      assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} `))
    } finally {
      await management.close()
    }
  })
