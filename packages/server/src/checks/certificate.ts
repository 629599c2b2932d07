/** Is there a certificate, does it speak for the issuer's name, and for how long? */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { speaksTls } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { failed, type Finding, passed, warning } from './finding.ts'

const check = 'certificate'
const day = 86_400_000
const warnBefore = 14 * day

export async function checkCertificate(settings: Settings, issuer: string, now: number): Promise<Finding> {
  if (!speaksTls(settings)) return passed(check, 'TLS is the business of the trusted proxy in front')
  const given = settings.tlsCert !== null
  const path = settings.tlsCert ?? join(settings.data, 'tls', 'server.pem')
  let leaf: X509Certificate
  try {
    leaf = new X509Certificate(await readFile(path))
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (absent && !given) return passed(check, 'none yet; the first start makes a local one')
    return failed(
      check,
      absent ? `${path} is not there` : `${path} is not a certificate in PEM`,
      'set GRANTOR_TLS_CERT to the certificate chain',
    )
  }
  const left = leaf.validToDate.getTime() - now
  // A running server loads changed files by itself.
  const renew = given ? 'renew it' : 'start the server: it renews its own'
  if (leaf.validFromDate.getTime() > now)
    return failed(
      check,
      `${path} is not valid before ${leaf.validFromDate.toISOString()}`,
      `set the clock, or ${renew}`,
    )
  if (left <= 0) return failed(check, `${path} expired on ${leaf.validToDate.toISOString()}`, renew)
  const host = new URL(issuer).hostname.replace(/^\[|\]$/g, '')
  const speaksFor = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)
  if (speaksFor === undefined)
    return failed(check, `${path} does not speak for ${host}`, given ? 'get one for that name' : renew)
  if (left < warnBefore) return warning(check, `${path} expires on ${leaf.validToDate.toISOString()}`, renew)
  const trust = given ? '' : `; clients trust it through ${join(settings.data, 'tls', 'ca.pem')}`
  return passed(check, `for ${host}, ${Math.floor(left / day)} days left${trust}`)
}
