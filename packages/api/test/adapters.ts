/** The adapters of an API behind one interface, so that every vector passes through all of them. */
import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createValidator } from '@grantor/resource'
import { createTestIssuer, type TestIdentity, type TestIssuer } from '@grantor/resource/testing'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { expressApi } from '../src/adapters/express.ts'
import { fastifyServer } from '../src/adapters/fastify.ts'
import { fetchHandler } from '../src/adapters/fetch.ts'
import { honoApi } from '../src/adapters/hono.ts'
import { nodeListener } from '../src/adapters/node.ts'
import type { ResourceServer } from '../src/serve/resource-server.ts'
import { all, audience, issuer, sample, type Sample, type SampleOptions } from './sample.ts'

export interface SentRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | object
  /** The whole scope by default; null sends no token. */
  readonly as?: TestIdentity | null
}

export interface GotResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface TestedAdapter {
  readonly sample: Sample
  readonly issuer: TestIssuer
  send(url: string, sent?: SentRequest): Promise<GotResponse>
  close(): Promise<void>
}

type Transport = (
  url: string,
  sent: { method: string; headers: [string, string][]; body: string | null },
) => Promise<Omit<GotResponse, 'json'>>

interface Carried {
  readonly carry: Transport
  close(): Promise<void>
}

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

export async function listening(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

const servers: Readonly<Record<string, (api: ResourceServer) => Promise<Listening>>> = {
  async fastify(api) {
    const server = fastifyServer(api)
    await server.listen({ port: 0, host: '127.0.0.1' })
    return { port: (server.server.address() as AddressInfo).port, close: () => server.close() }
  },
  node: (api) => listening(nodeListener(api)),
  express: (api) => listening(express().use(expressApi(api, { everything: true }))),
  hono: (api) => {
    const app = new Hono().use(honoApi(api, { everything: true }))
    return listening(getRequestListener((request, env) => app.fetch(request, env)))
  },
}

async function overHttp(open: (api: ResourceServer) => Promise<Listening>, api: ResourceServer): Promise<Carried> {
  const { port, close } = await open(api)
  const carry: Transport = (path, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const lines = headers.flat()
      const message = httpRequest({
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: ['host', 'api.example', ...lines],
        agent: false,
      })
      message.on('error', reject).on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(entries) as Record<string, string>,
            text,
          })
        })
      })
      message.end(body ?? undefined)
    })
  return { carry, close }
}

async function byFetch(api: ResourceServer): Promise<Carried> {
  const handler = fetchHandler(api)
  const carry: Transport = async (path, sent) => {
    const response = await handler(new Request(audience + path, sent))
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  }
  return { carry, close: () => Promise.resolve() }
}

export type AdapterKind = 'fastify' | 'node' | 'express' | 'hono' | 'fetch'
export const adapterKinds: readonly AdapterKind[] = ['fastify', 'node', 'express', 'hono', 'fetch']

const open = (kind: AdapterKind, api: ResourceServer): Promise<Carried> => {
  const server = servers[kind]
  return server === undefined ? byFetch(api) : overHttp(server, api)
}

export async function startAdapter(kind: AdapterKind, options: SampleOptions = {}): Promise<TestedAdapter> {
  const made = sample(options)
  const dev = createTestIssuer({ audience, issuer })
  const validator = createValidator({ audience, issuers: [dev.trust] })
  const { carry, close } = await open(kind, made.api.with(validator))
  return {
    sample: made,
    issuer: dev,
    async send(url, { method = 'GET', headers = {}, body, as = { scope: all } } = {}) {
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const given: Readonly<Record<string, string | readonly string[]>> = {
        ...(as === null ? {} : { authorization: `Bearer ${dev.mint(as)}` }),
        ...(text === null ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
        ...headers,
      }
      const lines = Object.entries(given).flatMap(([name, value]) =>
        (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
      )
      const got = await carry(url, { method, headers: lines, body: text })
      const json = got.text.startsWith('{') ? (JSON.parse(got.text) as Record<string, unknown>) : {}
      return { ...got, json }
    },
    async close() {
      await close()
      await validator.close()
    },
  }
}
