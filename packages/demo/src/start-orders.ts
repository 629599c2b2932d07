/** Starts the Orders API: HTTPS on one port, SQLite in one folder, and tokens of one issuer and its tenants. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type SecureContextOptions, Server as TlsServer } from 'node:tls'
import { createApiMetrics } from '@grantor/api'
import { fastifyServer } from '@grantor/api/fastify'
import type { Instant } from '@grantor/protocol/types'
import { createValidator, type ClientCredentials, type Validator } from '@grantor/resource'
import { privateFetch } from './client/private-fetch.ts'
import { webClient } from './client/web-client.ts'
import { type MtlsListener, openMtlsListener, showMtlsCertificate } from './mtls-listener.ts'
import { ordersApi } from './orders-api.ts'
import { type OrderOwner, OrdersTable } from './orders-table.ts'
import { insertSamples } from './sample-orders.ts'

export interface StartOrdersOptions {
  readonly issuer: string
  /** A client of the issuer that may read the feed, report and introspect. */
  readonly credentials: ClientCredentials
  /** Key and certificate, TLS versions and ciphers. */
  readonly tls: SecureContextOptions
  readonly dataFolder: string
  /** By default 8444; 0 means any free port. */
  readonly port?: number
  /** The port that asks clients for certificates, or any free one if it is taken; without this option there is none. */
  readonly mtlsPort?: number
  readonly host?: string
  /** The host name in its address and audience; by default `localhost`. */
  readonly name?: string
  /** The certificate authority of the issuer's certificate, PEM. */
  readonly ca?: string | Buffer
  /**
   * The confidential client with which the web client at /client/ signs people in; without it there is no web client.
   */
  readonly webClient?: ClientCredentials
  /** The owners of the sample orders; called at the first start only. */
  readonly owners?: () => Promise<readonly OrderOwner[]>
  /** The limit of open connections; further ones are closed. By default 1 024. */
  readonly connections?: number
  /** Replaces the validator made from the options above: for tests. */
  readonly validator?: Validator
}

export interface RunningOrders {
  /** Its address and its audience: `https://localhost:8444`. */
  readonly url: string
  readonly port: number
  /** The port that asks clients for certificates; null if there is none. */
  readonly mtlsPort: number | null
  /** Resolves when keys and revocations are known; until then the API answers 503. */
  ready(): Promise<void>
  /** Replaces the certificate for new connections. */
  showCertificate(tls: StartOrdersOptions['tls']): void
  close(): Promise<void>
}

/** Milliseconds that closing waits for requests in progress. */
const drainTimeout = 5_000

export async function startOrders(options: StartOrdersOptions): Promise<RunningOrders> {
  const { issuer, credentials, tls, dataFolder, ca, host = '127.0.0.1', name = 'localhost' } = options
  const port = options.port === 0 ? await freePort(host) : (options.port ?? 8444)
  const url = `https://${name}:${port}`
  const metrics = createApiMetrics()
  mkdirSync(dataFolder, { recursive: true })
  const table = new OrdersTable(join(dataFolder, 'orders.db'))
  await table.atFirstStart(async (insert) =>
    insertSamples(insert, (await options.owners?.()) ?? [], Date.now() as Instant),
  )
  const validator =
    options.validator ??
    createValidator({
      audience: url,
      issuers: [{ issuer, tenants: true, credentials, apiKeys: true }],
      metrics,
      ...(ca === undefined ? {} : { ca }),
    })
  const cursorSecret = secretIn(dataFolder)
  const api = ordersApi({ audience: url, issuer, validator, table, cursorSecret, metrics, exportPause: 150 })
  const server = fastifyServer(api, tls)
  // Each connection costs memory before its caller is known.
  server.server.maxConnections = options.connections ?? 1024
  if (options.webClient !== undefined) {
    const redirectUri = `${url}/client/callback`
    await server.register(webClient, {
      issuer,
      ...options.webClient,
      redirectUri,
      signedOutUri: `${url}/client/signed-out`,
      resource: url,
      fetch: privateFetch(ca),
    })
  }
  let mtls: MtlsListener | null = null
  const close = async (): Promise<void> => {
    const cut = setTimeout(() => {
      server.server.closeAllConnections()
      mtls?.server.closeAllConnections()
    }, drainTimeout)
    await Promise.all([server.close(), mtls?.close()])
    clearTimeout(cut)
    await validator.close()
    table.close()
  }
  try {
    await server.listen({ port, host })
    if (options.mtlsPort !== undefined)
      mtls = await openMtlsListener(server.server, { tls, host, port: options.mtlsPort })
  } catch (error) {
    await close()
    throw error
  }
  const showCertificate = (next: StartOrdersOptions['tls']): void => {
    if (server.server instanceof TlsServer) server.server.setSecureContext(next)
    if (mtls !== null) showMtlsCertificate(mtls, next)
  }
  return { url, port, mtlsPort: mtls?.port ?? null, ready: () => validator.whenReady(), showCertificate, close }
}

/** Created once per folder, so that the cursors of a list stay valid after a restart. */
function secretIn(folder: string): Uint8Array {
  const file = join(folder, 'cursor.key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' })
  return readFileSync(file)
}

/** The audience is the address, so the port has to be known before the API is created. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
