/** A directory that takes the connection and says nothing: neither the process nor whoever asked hangs on it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { createSecureContext, createServer, type TLSSocket } from 'node:tls'
import type { LdapQuestion } from '@grantor/authority'
import { openLdap } from '../../src/outbound/ldap/ldap.ts'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'

const question: LdapQuestion = {
  hosts: [],
  ca: null,
  bindDn: 'cn=searcher',
  bindPassword: 'of the searcher',
  base: 'dc=corp',
  filter: '(uid=ada)',
  attributes: ['uid'],
  password: 'of ada',
}

const goodbyes: readonly (readonly [how: string, leave: (socket: TLSSocket, below: Socket) => void])[] = [
  // The first also meets the library while it is loaded.
  ['breaks the connection off', (_socket, below) => below.resetAndDestroy()],
  ['ends it', (socket) => socket.end()],
  ['says what is no LDAP', (socket) => void socket.end('x')],
]

test('a directory that hangs up after the handshake is away', async () => {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const own = await issueCertificate({ name: 'CN=localhost', validity: life, names: ['localhost'], signer: null })
  for (const [how, leave] of goodbyes) {
    let below: Socket | null = null
    const server = createServer({ cert: own.cert, key: own.key }, (socket) => {
      socket.on('error', () => {})
      assert.ok(below !== null)
      leave(socket, below)
    })
    server.on('connection', (socket: Socket) => (below = socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `localhost:${(server.address() as AddressInfo).port}`
    const ldap = openLdap({
      allow: new Set([host]),
      resolve: () => Promise.resolve([]),
      roots: () => createSecureContext({ ca: own.cert }),
      now: Date.now,
      // A busy machine is not what this test is about.
      deadline: 60_000,
    })
    try {
      const answer = await ldap.authenticate({ ...question, hosts: [`ldaps://${host}`] })
      assert.deepEqual(answer, { did: 'unavailable', problem: 'ldap_unreachable' }, how)
    } finally {
      server.close()
    }
  }
})
