/** What is read again from the disk while a server runs: the certificate that it shows, and whose certificates it trusts. */
import type { Server as HttpServer } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Logger } from 'pino'
import type { Deployment } from '../compose.ts'
import { type Certificate, loadCertificate, mtlsOptions, showCertificate } from './certificate.ts'

interface Renewal {
  readonly settings: Deployment['settings']
  readonly host: string
  readonly certificate: Certificate
  readonly log: Logger
}

/** Those that a file names now; one that cannot be used is told to the log, and those from before stay. */
export function renewAuthorities(authorities: Deployment['clientAuthorities'], log: Logger): void {
  try {
    if (authorities.reload()) log.info('trusting other authorities of client certificates')
  } catch (cause) {
    log.error(
      { reason: String(cause) },
      'the authorities of client certificates cannot be read: those from before stay',
    )
  }
}

/** A certificate that was renewed on disk (by us or by an ACME client) is shown from then on, without a restart. */
export function renewalOf(
  servers: readonly HttpServer[],
  { settings, host, certificate, log }: Renewal,
): () => Promise<void> {
  let current = certificate
  return async () => {
    try {
      const next = await loadCertificate(settings, host, Date.now())
      if (next.cert === current.cert) return
      for (const [at, server] of servers.entries())
        if (server instanceof TlsServer) showCertificate(server, next, at === 0 ? {} : mtlsOptions)
      current = next
      log.info('showing a new certificate')
    } catch (cause) {
      log.error({ reason: String(cause) }, 'the certificate cannot be renewed: the one from before is still shown')
    }
  }
}
