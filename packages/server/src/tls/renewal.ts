/** Reads from disk again while a server runs: its certificate, and the authorities of client certificates. */
import { X509Certificate } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Logger } from 'pino'
import type { Deployment } from '../compose.ts'
import { onFileChange } from '../file-changes.ts'
import type { Meters } from '../metrics/meters.ts'
import { type Certificate, certificateFiles, loadCertificate, mtlsOptions, showCertificate } from './certificate.ts'

/**
 * Milliseconds, even if no file changes: a local certificate is renewed before it expires, and another may become
 * valid.
 */
const renewEvery = 3_600_000

interface RenewalParts extends Pick<Deployment, 'settings' | 'clientAuthorities'> {
  /** The host of the issuer. */
  readonly host: string
  /** The current certificate; null where this server does not speak TLS. */
  readonly certificate: Certificate | null
  readonly log: Logger
  readonly meters: Pick<Meters, 'certificateEnds'>
}

export interface Renewal {
  /** Reads everything again now. */
  renew(): Promise<void>
  stop(): void
}

/**
 * For the public server and then the one that asks for client certificates: a changed file is used within two seconds.
 */
export function openRenewal(servers: readonly HttpServer[], parts: RenewalParts): Renewal {
  const { settings, clientAuthorities, certificate, log, meters } = parts
  if (certificate !== null) meters.certificateEnds(endOf(certificate))
  const renewShown = certificate === null ? async () => {} : renewalOf(servers, { ...parts, certificate })
  const renew = async (): Promise<void> => {
    renewAuthorities(clientAuthorities, log)
    await renewShown()
  }
  const files = [
    ...(certificate === null ? [] : certificateFiles(settings)),
    ...(settings.mtlsClientCa === null ? [] : [settings.mtlsClientCa]),
  ]
  const unwatch = onFileChange(() => files, renew)
  const timer = setInterval(renew, renewEvery)
  return {
    renew,
    stop() {
      unwatch()
      clearInterval(timer)
    },
  }
}

const endOf = ({ cert }: Certificate): number => new X509Certificate(cert).validToDate.getTime() / 1000

/** Loads the authorities again; a file that cannot be used is reported in the log, and the old ones stay. */
function renewAuthorities(authorities: Deployment['clientAuthorities'], log: Logger): void {
  try {
    if (authorities.reload()) log.info('trusting other authorities of client certificates')
  } catch (cause) {
    log.error(
      { reason: String(cause) },
      'the authorities of client certificates cannot be read: those from before stay',
    )
  }
}

/** Switches to a certificate renewed on disk (by us or by an ACME client), without a restart. */
function renewalOf(
  servers: readonly HttpServer[],
  { settings, host, certificate, log, meters }: RenewalParts & { readonly certificate: Certificate },
): () => Promise<void> {
  let current = certificate
  return async () => {
    try {
      const next = await loadCertificate(settings, host, Date.now())
      if (next.cert === current.cert) return
      for (const [at, server] of servers.entries())
        if (server instanceof TlsServer) showCertificate(server, next, at === 0 ? {} : mtlsOptions)
      current = next
      meters.certificateEnds(endOf(next))
      log.info('showing a new certificate')
    } catch (cause) {
      log.error({ reason: String(cause) }, 'the certificate cannot be renewed: the one from before is still shown')
    }
  }
}
