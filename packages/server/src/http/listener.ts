/** The public listener of a server: listens, tells the issuer its port, renews the certificate, and drains at the end. */
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { OutboundError, RefusedRequest } from '@grantor/authority'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Deployment } from '../compose.ts'
import { isLoopback, isWithin, trustedList } from '../config/addresses.ts'
import { speaksTls } from '../config/conflicts.ts'
import { themeFrom } from '../config/theme.ts'
import { bindError } from '../start-error.ts'
import { type Certificate, loadCertificate, showCertificate } from '../tls/certificate.ts'
import { buildApp } from './app.ts'
import type { HttpContext } from './http-context.ts'

/** What a failed request to somebody else's server failed at, and the setting that would let it through. */
const outboundFailures: Readonly<Record<OutboundError, { readonly check: string; readonly setting: string | null }>> = {
  address: {
    check: 'the address is not public, not https, or on a port that is not served',
    setting: 'outbound.allow',
  },
  unreachable: { check: 'no connection, or a certificate that is not believed', setting: 'outbound.ca' },
  status: { check: 'the answer was not a success', setting: null },
  type: { check: 'the answer has another media type', setting: null },
  size: { check: 'the answer is too large', setting: null },
  time: { check: 'the answer took too long', setting: null },
}

/** Once a minute for each client and reason; the event log has the counts. */
const refusalTexts: Readonly<Record<RefusedRequest['name'], string>> = {
  'client.refused': 'a client was not authenticated',
  'redirect_uri.refused': 'an authorization request was refused for its client or redirect_uri',
  'consent.denied': 'a person denied consent',
  'verifier.refused': 'a code came with a wrong code_verifier',
  'proof.refused': 'a request came with a DPoP proof that does not hold',
  'assertion.refused': 'a token of another issuer was not believed',
}

export interface Listener {
  readonly port: number
  readonly caFile: string | null
  /** Shows the certificate as it lies on the disk now; one that cannot be used is told to the log, and the old one stays. */
  renewCertificate(): Promise<void>
  close(): Promise<void>
}

/** The public listener alone; a worker has this and nothing else. */
export async function openListener(
  deployment: Pick<Deployment, 'settings' | 'issuer' | 'authority' | 'outbound' | 'cursorSecret'>,
  instruments: Pick<HttpContext, 'meters' | 'metrics' | 'log'>,
): Promise<Listener> {
  const { settings, issuer, authority, outbound, cursorSecret } = deployment
  outbound.watch(({ host, outcome, cause }) => {
    instruments.meters.outboundAttempt(outcome)
    if (outcome === 'ok') return instruments.log.debug({ host, outcome, ...cause }, 'asked another server')
    const { check, setting } = outboundFailures[outcome]
    const about = { host, outcome, ...cause, check, ...(setting === null ? {} : { setting }) }
    instruments.log.warn(about, 'asked another server')
  })
  authority.watchRefusals(({ name, tenant, clientId, reason, expected }) => {
    const setting = reason === 'assertion_aud' ? 'assertion_audience' : undefined
    instruments.log.warn({ tenant, clientId, reason, expected, setting }, refusalTexts[name])
  })
  await authority.begin()
  const host = new URL(issuer.origin()).hostname
  const certificate = speaksTls(settings) ? await loadCertificate(settings, host, Date.now()) : null
  let draining = false
  const trusted = settings.trustProxy === null ? null : trustedList(settings.trustProxy)
  const context: HttpContext = {
    authority,
    issuer,
    ...instruments,
    proxies: trusted === null ? null : { trusted, header: settings.proxyHeader },
    connections: {
      most: settings.connectionsMost,
      perAddress: settings.connectionsPerAddress,
      isProxy: (address) => trusted !== null && isWithin(trusted, address),
    },
    encrypted: certificate !== null,
    strictTransport: !isLoopback(host),
    draining: () => draining,
    cursorSecret,
    theme: themeFrom(settings),
  }
  const app = buildApp(context, certificate)
  try {
    await app.listen({ host: settings.host.replace(/^\[|\]$/g, ''), port: settings.port })
  } catch (cause) {
    throw bindError(cause, 'GRANTOR_PORT', settings.port)
  }
  const { port } = app.server.address() as AddressInfo
  // Before the event loop turns again, so no request sees the issuer without its port.
  issuer.setPort(port)
  const renewCertificate =
    certificate === null ? async () => {} : renewalOf(app.server, { settings, host, certificate, log: instruments.log })
  const renewal = setInterval(renewCertificate, renewEvery)
  return {
    port,
    caFile: certificate?.caFile ?? null,
    renewCertificate,
    async close() {
      draining = true
      clearInterval(renewal)
      await drain(app)
    },
  }
}

/** Long enough for any request that its own limits allow to live; then the rest is cut. */
const drainTimeout = 25_000

/** How long a connection between two requests may still make one; its answer then says that it was the last. */
const lastRequestGrace = 1_000

async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app
  // The listener alone: http.Server.close would reset idle connections, and with them requests that are on their way.
  NetServer.prototype.close.call(server)
  await new Promise<void>((over) => {
    const timer = setTimeout(over, lastRequestGrace)
    server.once('close', () => {
      clearTimeout(timer)
      over()
    })
  })
  // Node closes idle connections once, when closing begins; one that answered its last request later is idle, too.
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeout)
  await app.close()
  clearInterval(sweep)
  clearTimeout(cut)
}

interface Renewal {
  readonly settings: Deployment['settings']
  readonly host: string
  readonly certificate: Certificate
  readonly log: Logger
}

/** Milliseconds. */
const renewEvery = 3_600_000

/** A certificate that was renewed on disk (by us or by an ACME client) is shown from then on, without a restart. */
function renewalOf(server: HttpServer, { settings, host, certificate, log }: Renewal): () => Promise<void> {
  let current = certificate
  return async () => {
    try {
      const next = await loadCertificate(settings, host, Date.now())
      if (next.cert === current.cert || !(server instanceof TlsServer)) return
      showCertificate(server, next)
      current = next
      log.info('showing a new certificate')
    } catch (cause) {
      log.error({ reason: String(cause) }, 'the certificate cannot be renewed: the one from before is still shown')
    }
  }
}
