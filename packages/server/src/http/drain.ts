/** Stops listening without cutting anybody off: requests on their way are answered, with `Connection: close`. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Longer than any request may take by its own limits; whatever is still open then is cut. */
const drainTimeout = 25_000

/** For so long an idle connection may still send a request, which is answered with `Connection: close`. */
const lastRequestGrace = 1_000

/** `others` serve the same application as its own server. */
export async function drain(app: FastifyInstance, others: readonly Server[]): Promise<void> {
  const servers = [app.server, ...others]
  const closed = servers.map((server) => new Promise<void>((over) => server.once('close', over)))
  // The listener alone: http.Server.close would reset idle connections, and with them requests that are on their way.
  for (const server of servers) NetServer.prototype.close.call(server)
  const { promise: graceOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lastRequestGrace)
  await Promise.race([graceOver, Promise.all(closed)])
  clearTimeout(timer)
  // Node closes idle connections once, when closing begins; one that answered its last request later is idle, too.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 100)
  const cut = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), drainTimeout)
  await Promise.all([app.close(), ...closed.slice(1)])
  clearInterval(sweep)
  clearTimeout(cut)
}
