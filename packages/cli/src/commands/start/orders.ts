/** Starts the Orders API next to the server; loaded only for the demo. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { OrderOwner } from '@grantor/demo'
import { ok } from '@grantor/protocol/result'
import {
  certificateFiles,
  loadCertificate,
  onFileChange,
  type RunningServer,
  type Settings,
  tlsOptions,
} from '@grantor/server'
import { type CommandResult, failure } from '../../program/exit.ts'

export interface OrdersAddress {
  /** Its URL, also the audience of its tokens. */
  readonly url: string
  readonly port: number
}

/** Orders is itself a client of the server: it reads the feed, reports, and introspects. */
export interface OrdersCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The future URL. The audience contains the port, so a free one is chosen before anything is declared. */
export async function ordersAddress({ demoPort }: Settings): Promise<OrdersAddress> {
  const port = demoPort === 0 ? await freePort() : demoPort
  return { port, url: `https://localhost:${port}` }
}

/** Milliseconds that the start waits for Orders to know keys and revocations; until then Orders answers 503. */
const readyTimeout = 2_000

export interface RunningOrders {
  /** Whether it knows keys and revocations, and accepts requests. */
  readonly ready: boolean
  /** The port where it asks for client certificates. */
  readonly mtlsPort: number | null
  /** Loads the server's certificate again; one that cannot be used changes nothing, and the server's log says why. */
  renewCertificate(): Promise<void>
  close(): Promise<void>
}

export interface OrdersSurroundings {
  readonly settings: Settings
  readonly running: RunningServer
  owners(): Promise<readonly OrderOwner[]>
}

export async function startOrders(
  { settings, running, owners }: OrdersSurroundings,
  { port }: OrdersAddress,
  clients: { readonly orders: OrdersCredentials; readonly web: OrdersCredentials | null },
): Promise<CommandResult<RunningOrders>> {
  const demo = await import('@grantor/demo')
  const shown = async () => {
    const { cert, key } = await loadCertificate(settings, new URL(running.issuer).hostname, Date.now())
    return { ...tlsOptions, cert, key }
  }
  const tls = await shown()
  const ca = running.caFile === null ? {} : { ca: await readFile(running.caFile, 'utf8') }
  const dataFolder = join(settings.data, 'orders')
  try {
    const web = clients.web === null ? {} : { webClient: clients.web }
    const { demoMtlsPort: mtlsPort } = settings
    const parts = {
      issuer: running.issuer,
      port,
      mtlsPort,
      tls,
      dataFolder,
      credentials: clients.orders,
      owners,
    }
    // Only this machine can reach it, which is a single address.
    const connections = Math.min(settings.connectionsMost, settings.connectionsPerAddress)
    const orders = await demo.startOrders({ ...parts, connections, ...web, ...ca })
    const renewCertificate = (): Promise<void> => shown().then(orders.showCertificate, () => {})
    const unwatch = onFileChange(() => certificateFiles(settings), renewCertificate)
    return ok({
      ready: await resolvesInTime(orders.ready()),
      mtlsPort: orders.mtlsPort,
      renewCertificate,
      close() {
        unwatch()
        return orders.close()
      },
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return failure('failed', `port ${port} is taken: the demo needs it`, {
      fix: 'choose another with GRANTOR_DEMO_PORT',
    })
  }
}

async function resolvesInTime(ready: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), readyTimeout)
  const came = ready.then(
    () => true,
    () => false,
  )
  return Promise.race([came, late.promise]).finally(() => clearTimeout(timer))
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
