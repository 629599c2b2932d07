/** The authorities whose certificates clients may authenticate with: a file, read at the start and on `reload`. */
import { readFileSync } from 'node:fs'
import type { ClientAuthorities } from '@grantor/authority'
import { type CertificateFacts, readCertificates } from '@grantor/protocol/mtls'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../start-error.ts'

export interface ReloadableClientAuthorities extends ClientAuthorities {
  /** True where the authorities changed. Throws StartError, and keeps the old ones, where the file cannot be used. */
  reload(): boolean
}

export function openClientAuthorities({
  mtlsClientCa: path,
}: Pick<Settings, 'mtlsClientCa'>): ReloadableClientAuthorities {
  let text = ''
  let trusted: readonly CertificateFacts[] = []
  const reload = (): boolean => {
    const next = path === null ? '' : readFile(path)
    if (path === null || next === text) return false
    const read = readCertificates(next)
    if (read === null)
      throw new StartError(`GRANTOR_MTLS_CLIENT_CA: ${path} must hold certificates in PEM, and does not`)
    const other = read.findIndex((it) => !it.isAuthority)
    if (other >= 0)
      throw new StartError(`GRANTOR_MTLS_CLIENT_CA: certificate ${other + 1} in ${path} is not one of an authority`)
    text = next
    trusted = read
    return true
  }
  reload()
  return { trusted: () => trusted, reload }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StartError(`GRANTOR_MTLS_CLIENT_CA: ${path} cannot be read (${code})`, { cause })
  }
}
