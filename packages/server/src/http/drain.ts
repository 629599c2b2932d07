/** Stops listening without dropping requests: those under way are answered, with `Connection: close`. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds, longer than any request may take by its own limits; connections still open then are closed. */
const drainTimeout = 25_000

/** Milliseconds in which an idle connection may still send a request, which is answered with `Connection: close`. */
const lastRequestGrace = 1_000

/** `others` serve the same application as its own server. */
export async function drain(app: FastifyInstance, others: readonly Server[]): Promise<void> {
  const servers = [app.server, ...others]
  const closed = servers.map((server) => new Promise<void>((over) => server.once('close', over)))
  // Closes only the listener: http.Server.close would reset idle connections, and with them requests under way.
  for (const server of servers) NetServer.prototype.close.call(server)
  const { promise: graceOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lastRequestGrace)
  await Promise.race([graceOver, Promise.all(closed)])
  clearTimeout(timer)
  // Node closes idle connections only once, when closing begins; so those that become idle later are closed here.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 100)
  const cut = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), drainTimeout)
  await Promise.all([app.close(), ...closed.slice(1)])
  clearInterval(sweep)
  clearTimeout(cut)
}
