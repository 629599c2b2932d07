/** The gateway as its command starts it, with an API behind that says what it got. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { grantorCommand, temporaryFolder } from './server.ts'

export interface Gateway extends AsyncDisposable {
  readonly port: number
  readonly origin: string
}

/** `file` is its configuration; the CA is put beside it as ca.pem. */
export async function startGateway(file: object, ca: string): Promise<Gateway> {
  const folder = temporaryFolder()
  folder.write('ca.pem', ca)
  const config = folder.write('gateway.json', file)
  const env = { ...process.env, GRANTOR_GATEWAY_PORT: '0' }
  const child = spawn(process.execPath, [grantorCommand, 'gateway', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  const exited = once(child, 'exit')
  const ended = exited.then(() => Promise.reject(new Error('the gateway ended before it was ready')))
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  const { port } = JSON.parse(line) as { readonly port: number }
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600 && (await fetch(`${origin}/health/ready`)).status !== 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    port,
    origin,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      folder[Symbol.dispose]()
    },
  }
}

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Upstream extends AsyncDisposable {
  readonly port: number
  readonly seen: SeenRequest[]
}

/** Answers every request with what it was. */
export async function startUpstream(): Promise<Upstream> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(one))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
