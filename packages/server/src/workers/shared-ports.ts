/** The ports that all workers of a server share, chosen once by their parent, so that each listens on the same ones. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Logger } from 'pino'
import { speaksTls } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { wantedMtlsPort } from '../http/mtls-listener.ts'
import { bindError } from '../start-error.ts'

export interface SharedPorts {
  readonly settings: Settings
  /** Whether a free port was chosen here: then another program may take it before the first worker does. */
  readonly chosen: boolean
}

/**
 * Node's cluster matches sockets by port and order: a worker that gets the usual port where another moved to a free one
 * would take the wrong socket, and port 0 would be another port once all workers have died.
 */
export async function sharedPorts(settings: Settings, log: Logger): Promise<SharedPorts> {
  const host = settings.host.replace(/^\[|\]$/g, '')
  // Kept open until all are chosen, so that no port is chosen twice.
  const held: Server[] = []
  const take = async (port: number): Promise<number> => {
    const server = await listening(host, port).catch((cause: unknown) => {
      throw bindError(cause, 'GRANTOR_PORT', port)
    })
    held.push(server)
    return (server.address() as AddressInfo).port
  }
  try {
    const port = settings.port === 0 ? await take(0) : settings.port
    const mtlsPort = await mtlsPortOf(settings, take, log)
    return {
      settings: { ...settings, port, mtlsPort },
      chosen: port !== settings.port || mtlsPort !== settings.mtlsPort,
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

async function mtlsPortOf(
  settings: Settings,
  take: (port: number) => Promise<number>,
  log: Logger,
): Promise<Settings['mtlsPort']> {
  const { mtlsPort: named, demo } = settings
  const port = wantedMtlsPort(settings)
  if (port === 'off' || !speaksTls(settings)) return named
  if (port === 0) return take(0)
  if (named !== null && !demo) return named
  return take(port).catch(async () => {
    const other = await take(0)
    log.warn({ taken: port, setting: 'GRANTOR_MTLS_PORT' }, 'the port for client certificates is taken: using another')
    return other
  })
}

const listening = (host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen({ host, port, exclusive: true }, () => resolve(server))
  })
