/** The management listener: health and metrics by plain HTTP, on loopback by default. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPlainlyFramed } from '@grantor/protocol/http'
import { metricsContentType } from '../metrics/meters.ts'

export interface Management {
  readonly port: number
  close(): Promise<void>
}

export interface Health {
  /** The problems that would make requests for the database or the signing keys fail; empty when there are none. */
  ready(): Promise<readonly string[]>
  metrics(): Promise<string>
}

export interface ManagementAddress {
  readonly host: string
  readonly port: number
}

export async function openManagement(address: ManagementAddress, health: Health): Promise<Management> {
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    // Alive means only that the event loop turns; dependencies are part of readiness.
    '/health/live': async (response) => respond(response, 200, 'live'),
    '/health/ready': async (response) => {
      const problems = await health.ready()
      if (problems.length === 0) respond(response, 200, 'ready')
      else respond(response, 503, 'not ready', { problems })
    },
    '/metrics': async (response) => {
      response.setHeader('content-type', metricsContentType).end(await health.metrics())
    },
  }
  const server = createServer(
    { maxHeaderSize: 8192, requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => {
      response.setHeader('cache-control', 'no-store')
      if (!isPlainlyFramed(request)) return respond(response.setHeader('connection', 'close'), 400, 'bad request')
      const page = pages[request.url?.split('?', 1)[0] ?? '']
      if (page === undefined) return respond(response, 404, 'not found')
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return respond(response.setHeader('allow', 'GET, HEAD'), 405, 'method not allowed')
      }
      return void page(response).catch(() => respond(response, 500, 'failed'))
    },
  )
  // Enough for health checks and scrapers; more would be a mistake that must not use up memory.
  server.maxConnections = 64
  await listening(server, address)
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((closed) => server.close(() => closed()).closeAllConnections()),
  }
}

function respond(response: ServerResponse, code: number, status: string, more: object = {}): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status, ...more }))
}

const listening = (server: Server, { host, port }: ManagementAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
