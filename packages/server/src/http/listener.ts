/** The public listener of a server: listens, sets the issuer's port, renews the certificate, and drains at the end. */
import type { AddressInfo } from 'node:net'
import type { OutboundError, RefusedRequest } from '@grantor/authority'
import type { Deployment } from '../compose.ts'
import { isWithin, trustedList } from '@grantor/resource/addresses'
import { isLoopback } from '../config/addresses.ts'
import { speaksTls } from '../config/conflicts.ts'
import { themeFrom } from '../config/theme.ts'
import { bindError } from '../start-error.ts'
import { loadCertificate } from '../tls/certificate.ts'
import { buildApp } from './app.ts'
import { openClientCertificates } from './client-certificate.ts'
import { drain } from './drain.ts'
import type { HttpContext } from './http-context.ts'
import { openMtlsListener } from './mtls-listener.ts'
import { openRenewal } from '../tls/renewal.ts'

/** Why a request to another server failed, and the setting that would allow it. */
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

/** Texts for the log, written at most once a minute for each client and reason; the event log has the counts. */
const refusalTexts: Readonly<Record<RefusedRequest['name'], string>> = {
  'client.refused': 'a client was not authenticated',
  'redirect_uri.refused': 'an authorization request was refused for its client or redirect_uri',
  'consent.denied': 'a person denied consent',
  'verifier.refused': 'a code came with a wrong code_verifier',
  'proof.refused': 'a request came with a DPoP proof or a certificate that does not hold',
  'assertion.refused': 'a token of another issuer was not believed',
  'token.refused': 'a client was not given a token',
  'token.denied': 'a token was denied by the policy or the hook of its API',
  'token.rejected': 'an API asked about a token that nobody has',
  'sign_up.refused': 'the hook of sign-up denied an account, or could not be asked',
}

export interface Listener {
  readonly port: number
  /** The port where clients are asked for certificates; null where there is none. */
  readonly mtlsPort: number | null
  readonly caFile: string | null
  /**
   * Loads the certificate from disk again; one that cannot be used is reported in the log, and the old one stays in
   * use.
   */
  renewCertificate(): Promise<void>
  close(): Promise<void>
}

/** Opens the public listener, the only one that a worker has. */
export async function openListener(
  deployment: Omit<Deployment, 'close'>,
  instruments: Pick<HttpContext, 'meters' | 'metrics' | 'log'>,
): Promise<Listener> {
  const { settings, issuer, authority, outbound, cursorSecret, clientAuthorities } = deployment
  const { consoleClients, demoSteps, tracing } = deployment
  outbound.watch(({ host, outcome, cause }) => {
    instruments.meters.outboundAttempt(outcome)
    if (outcome === 'ok') return instruments.log.debug({ host, outcome, ...cause }, 'asked another server')
    const { check, setting } = outboundFailures[outcome]
    const about = { host, outcome, ...cause, check, ...(setting === null ? {} : { setting }) }
    instruments.log.warn(about, 'asked another server')
  })
  tracing.watch((failure) =>
    instruments.log.warn({ failure, setting: 'tracing.endpoint' }, 'traces could not be handed to the collector'),
  )
  authority.watchRefusals(({ name, tenant, clientId, reason, expected, resource }) => {
    const setting = reason === 'assertion_aud' ? 'assertion_audience' : undefined
    instruments.log.warn({ tenant, clientId, reason, expected, resource, setting }, refusalTexts[name])
  })
  await authority.begin()
  const host = new URL(issuer.origin()).hostname
  const certificate = speaksTls(settings) ? await loadCertificate(settings, host, Date.now()) : null
  let draining = false
  const trusted = settings.trustProxy === null ? null : trustedList(settings.trustProxy)
  const context: HttpContext = {
    authority,
    issuer,
    consoleClients,
    ...instruments,
    proxies: trusted === null ? null : { trusted, header: settings.proxyHeader },
    certificates: openClientCertificates(trusted === null ? null : { trusted, header: certificateHeader(settings) }),
    connections: {
      most: settings.connectionsMost,
      perAddress: settings.connectionsPerAddress,
      isProxy: (address) => trusted !== null && isWithin(trusted, address),
    },
    encrypted: certificate !== null,
    strictTransport: !isLoopback(host),
    draining: () => draining,
    cursorSecret,
    settings,
    store: deployment.store,
    tracing,
    theme: themeFrom(settings),
    demoSteps,
  }
  const app = buildApp(context, certificate)
  await app.ready()
  // Opened first, so that metadata served by the main listener names it.
  const mtls = await openMtlsListener(app, context, { settings, certificate })
  if (mtls !== null) issuer.setMtlsPort(mtls.port)
  try {
    await app.listen({ host: settings.host.replace(/^\[|\]$/g, ''), port: settings.port })
  } catch (cause) {
    mtls?.server.close()
    throw bindError(cause, 'GRANTOR_PORT', settings.port)
  }
  const { port } = app.server.address() as AddressInfo
  // Set before the next turn of the event loop, so that no request sees the issuer without its port.
  issuer.setPort(port)
  await consoleClients.ensure()
  const servers = mtls === null ? [app.server] : [app.server, mtls.server]
  const renewal = openRenewal(servers, { settings, clientAuthorities, host, certificate, ...instruments })
  return {
    port,
    mtlsPort: mtls?.port ?? null,
    caFile: certificate?.caFile ?? null,
    renewCertificate: () => renewal.renew(),
    async close() {
      draining = true
      renewal.stop()
      await drain(app, servers.slice(1))
    },
  }
}

const certificateHeader = ({ clientCertHeaderName: name, clientCertHeaderFormat: format }: Deployment['settings']) =>
  name === null ? null : { name, format }
