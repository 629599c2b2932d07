/** A provider of SAML for tests: answers requests as told, and signs what it says, or what an attacker made of it. */
import { webcrypto } from 'node:crypto'
import { KeyObject } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { cryptoProvider, X509CertificateGenerator } from '@peculiar/x509'
import { SignedXml } from 'xml-crypto'

export const entityId = 'https://idp.example/saml'

export interface SigningKey {
  readonly key: string
  readonly cert: string
}

export async function newSigningKey(): Promise<SigningKey> {
  cryptoProvider.set(webcrypto)
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const made = await X509CertificateGenerator.createSelfSigned({ name: 'CN=idp', keys, signingAlgorithm: algorithm })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { key, cert: made.toString('pem') }
}

/** What a request asks for (SAML Bindings §3.4.4). */
export function readRequest(location: string): {
  readonly xml: string
  readonly id: string
  readonly relayState: string
} {
  const { searchParams } = new URL(location)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return { xml, id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' }
}

export interface Statement {
  readonly inResponseTo: string
  readonly recipient: string
  readonly audience: string
  readonly nameId?: string
  readonly format?: string
  readonly issuer?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly context?: string
  /** Milliseconds from now. */
  readonly from?: number
  readonly until?: number
  readonly confirmedUntil?: number
  readonly authenticatedAt?: number
  readonly sessionUntil?: number
  readonly id?: string
}

const at = (offset: number): string => new Date(Date.now() + offset).toISOString()
const minutes = 60_000
const saml = 'urn:oasis:names:tc:SAML:2.0'

export function assertionOf(it: Statement): string {
  const attributes = Object.entries(it.attributes ?? {}).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  )
  return (
    `<saml:Assertion xmlns:saml="${saml}:assertion" ID="${it.id ?? '_assertion'}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${it.issuer ?? entityId}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${it.format ?? `${saml}:nameid-format:persistent`}">${it.nameId ?? 'ada'}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${saml}:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${it.inResponseTo}"` +
    ` Recipient="${it.recipient}" NotOnOrAfter="${at(it.confirmedUntil ?? 5 * minutes)}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(it.from ?? 0)}" NotOnOrAfter="${at(it.until ?? 5 * minutes)}">` +
    `<saml:AudienceRestriction><saml:Audience>${it.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(it.authenticatedAt ?? 0)}" SessionIndex="_session"${it.sessionUntil === undefined ? '' : ` SessionNotOnOrAfter="${at(it.sessionUntil)}"`}><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${it.context ?? `${saml}:ac:classes:PasswordProtectedTransport`}</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>` +
    (attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`) +
    `</saml:Assertion>`
  )
}

export const responseOf = (inside: string, more = ''): string =>
  `<samlp:Response xmlns:samlp="${saml}:protocol" ID="_response" Version="2.0" IssueInstant="${at(0)}"${more}>` +
  `<saml:Issuer xmlns:saml="${saml}:assertion">${entityId}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="${saml}:status:Success"/></samlp:Status>${inside}</samlp:Response>`

export const refusalOf = (status: string): string =>
  `<samlp:Response xmlns:samlp="${saml}:protocol" ID="_response" Version="2.0" IssueInstant="${at(0)}">` +
  `<samlp:Status><samlp:StatusCode Value="${saml}:status:Responder"><samlp:StatusCode Value="${saml}:status:${status}"/>` +
  `</samlp:StatusCode></samlp:Status></samlp:Response>`

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Signs one element of a document, as a signature inside it. */
export function sign(
  xml: string,
  what: 'Assertion' | 'Response',
  { key, cert }: SigningKey,
  digest: 'sha1' | 'sha256' = 'sha256',
): string {
  const algorithms = {
    sha1: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
    sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  } as const
  const [signatureAlgorithm, digestAlgorithm] = algorithms[digest]
  const signer = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm,
    canonicalizationAlgorithm: exclusive,
  })
  const xpath = `//*[local-name(.)='${what}']`
  signer.addReference({
    xpath,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
    digestAlgorithm,
  })
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64')
