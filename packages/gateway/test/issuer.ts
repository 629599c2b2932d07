/** An issuer over real HTTP on loopback, as far as a gateway without a client asks it: metadata and keys. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createListener, type Socket } from 'node:net'

export interface LoopbackIssuer extends AsyncDisposable {
  readonly issuer: string
  mint(claims?: Readonly<Record<string, unknown>>): string
  /** No longer there; its port stays its own. */
  leave(): Promise<void>
  comeBack(): Promise<void>
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function startIssuer(audience: string): Promise<LoopbackIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' }]
  const server = createServer(({ url, headers }, response) => {
    const issuer = `http://${String(headers.host)}`
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }))
  })
  let isThere = true
  const open = new Set<Socket>()
  // It listens all the time: a port that is free is soon another's.
  const listener = createListener((socket) => {
    if (!isThere) return void socket.resetAndDestroy()
    open.add(socket.on('close', () => open.delete(socket)))
    return server.emit('connection', socket)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const leave = async (): Promise<void> => {
    isThere = false
    for (const socket of open) socket.destroy()
  }
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    mint(claims = {}) {
      const now = Math.floor(Date.now() / 1000)
      const usual = { iss: issuer, sub: 'alice', aud: audience, client_id: 'web', scope: 'orders:read' }
      const times = { iat: now, exp: now + 600, jti: randomUUID() }
      const signed = `${encode({ typ: 'at+jwt', alg: 'ES256', kid: 'a' })}.${encode({ ...usual, ...times, ...claims })}`
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${signature.toString('base64url')}`
    },
    leave,
    comeBack: async () => void (isThere = true),
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close')
      listener.close()
      await leave()
      await closed
    },
  }
}
