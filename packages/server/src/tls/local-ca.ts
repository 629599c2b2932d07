/**
 * A local certificate authority in the data folder, and a server certificate signed by it: TLS without set-up.
 * The price: whoever trusts ca.pem trusts anybody who can read ca.key, so it is for use on one machine only.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { issueCertificate, type Validity, type CertificateAndKey } from './issue-certificate.ts'
import { withFileLock } from '../secrets/file-lock.ts'
import { makePrivateFolder, replacePrivateFile } from '../secrets/private-file.ts'

const day = 86_400_000
const caDays = 3650
/** The longest validity of a server certificate that browsers accept. */
const leafDays = 397
const renewDays = 30
/** Milliseconds to wait for the lock; two keys and two signatures take some hundredths of a second. */
const longestMaking = 10_000

interface LocalCertificateOptions {
  readonly data: string
  readonly names: readonly string[]
  readonly now: number
}

export interface LocalCertificate extends CertificateAndKey {
  /** The authority's certificate: what curl takes with --cacert. */
  readonly caFile: string
}

export const localCaFile = (data: string): string => join(data, 'tls', 'ca.pem')

export const localCertificateFiles = (data: string): readonly string[] =>
  ['server.pem', 'server.key'].map((name) => join(data, 'tls', name))

export async function localCertificate({ data, names, now }: LocalCertificateOptions): Promise<LocalCertificate> {
  const folder = join(data, 'tls')
  makePrivateFolder(folder)
  const caFile = localCaFile(data)
  const held = usablePair(folder, names, now)
  if (held !== null) return { ...held, caFile }
  // Servers that start at the same time with one folder share one authority.
  return withFileLock(join(folder, 'making'), longestMaking, async () => {
    const pair = usablePair(folder, names, now) ?? (await makePair(folder, names, now))
    return { ...pair, caFile }
  })
}

/** The existing pair, if it is valid for a while and has all names; null otherwise. */
function usablePair(folder: string, names: readonly string[], now: number): CertificateAndKey | null {
  const [ca, held] = [readPair(folder, 'ca'), readPair(folder, 'server')]
  if (ca === null || held === null || !fresh(ca, now) || !fresh(held, now)) return null
  return covers(held, names) && signedBy(held, ca) ? held : null
}

async function makePair(folder: string, names: readonly string[], now: number): Promise<CertificateAndKey> {
  const held = readPair(folder, 'ca')
  const ca = held !== null && fresh(held, now) ? held : savePair(folder, 'ca', await makeCa(now))
  return savePair(folder, 'server', await makeLeaf(ca, names, now))
}

async function makeCa(now: number): Promise<CertificateAndKey> {
  const name = `CN=Grantor local CA ${new Date(now).toISOString()}`
  return issueCertificate({ name, validity: life(now, caDays), names: null, signer: null })
}

const makeLeaf = (ca: CertificateAndKey, names: readonly string[], now: number): Promise<CertificateAndKey> =>
  issueCertificate({ name: `CN=${names[0] ?? 'localhost'}`, validity: life(now, leafDays), names, signer: ca })

const life = (now: number, days: number): Validity => ({
  // An hour back, for clients whose clock is behind ours.
  notBefore: new Date(now - day / 24),
  notAfter: new Date(now + days * day),
})

function savePair(folder: string, name: string, pair: CertificateAndKey): CertificateAndKey {
  replacePrivateFile(join(folder, `${name}.key`), pair.key)
  replacePrivateFile(join(folder, `${name}.pem`), pair.cert)
  return pair
}

/** Null where the pair is missing or unusable; a local certificate is issued again rather than repaired. */
function readPair(folder: string, name: string): CertificateAndKey | null {
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  if (!existsSync(certFile) || !existsSync(keyFile)) return null
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  try {
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)) ? pair : null
  } catch {
    return null
  }
}

/** Also false for one made while the clock was ahead, which is not valid yet. */
function fresh({ cert }: CertificateAndKey, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  return validFromDate.getTime() <= now && validToDate.getTime() - now > renewDays * day
}

function covers({ cert }: CertificateAndKey, names: readonly string[]): boolean {
  const leaf = new X509Certificate(cert)
  return names.every((name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined)
}

function signedBy({ cert }: CertificateAndKey, ca: CertificateAndKey): boolean {
  const issuer = new X509Certificate(ca.cert)
  const leaf = new X509Certificate(cert)
  return leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey)
}
