/**
 * This server as a SAML 2.0 service provider: the request that a browser carries, our metadata, and the verification of
 * signatures.
 */
import { certificatesIn, type SamlElement, type StoredProvider } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { SAML } from '@node-saml/node-saml'
import { isPlain, namesWeakAlgorithm } from './plain-xml.ts'

/** Loaded on first use: most deployments never need it. */
const library = () => import('@node-saml/node-saml')

interface SamlParty {
  readonly provider: StoredProvider
  /** Where assertions are sent: the return address. */
  readonly recipient: string
}

interface SamlRequestParts extends SamlParty {
  /** The answer must refer to it; characters of base64url. */
  readonly requestId: string
  readonly relayState: string
  readonly again: boolean
}

/** xs:ID begins with a letter or an underscore. */
export const samlRequestId = (nonce: string): string => `_${nonce}`

async function openSaml({ provider, recipient }: SamlParty, more: Partial<SamlRequestParts> = {}): Promise<SAML> {
  const { SAML: Saml, ValidateInResponseTo } = await library()
  return new Saml({
    issuer: provider.client_id,
    callbackUrl: recipient,
    entryPoint: provider.sso_url ?? '',
    idpCert: [...certificatesIn(provider.certificates ?? '')],
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    forceAuthn: more.again === true,
    generateUniqueId: () => more.requestId ?? '_metadata',
    // Some providers sign the response, others the assertion; the library reads only what is signed.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // Checked by our own clock, and by the state of the request, which all nodes share: protocol/providers/saml.ts.
    acceptedClockSkewMs: -1,
    audience: false,
    validateInResponseTo: ValidateInResponseTo.never,
  })
}

/** SAML Bindings §3.4: the provider's address with the request as parameters. */
export async function samlRequestAddress(parts: SamlRequestParts): Promise<string> {
  const saml = await openSaml(parts, parts)
  return saml.getAuthorizeUrlAsync(parts.relayState, undefined, {})
}

/** SAML Metadata §2.4.4. */
export async function samlMetadata({ provider, recipient }: SamlParty): Promise<string> {
  const { generateServiceProviderMetadata } = await library()
  return generateServiceProviderMetadata({
    issuer: provider.client_id,
    callbackUrl: recipient,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_metadata',
  })
}

const longestResponse = 60_000
const assertions = /<(?:[\w.-]+:)?(?:Encrypted)?Assertion[\s>/]/g
const opening = /^\s*(?:<\?xml\s[^>]*\?>\s*)?<(?:[\w.-]+:)?Response((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*>/
const attributes = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const firstStatus = /<(?:[\w.-]+:)?StatusCode\s(?:[^<>]*?\s)?Value\s*=\s*["']([^"']*)["']/
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Problems of the message around an assertion, which the library does not check. */
function messageProblem(xml: string, recipient: string): string | null {
  const messageAttributes = [...(opening.exec(xml)?.[1] ?? '').matchAll(attributes)]
  const [, , double, single] = messageAttributes.find(([, name]) => name === 'Destination') ?? []
  // SAML Core §3.2.2: if the message names a destination, it must be our address.
  if ((double ?? single ?? recipient) !== recipient) return 'saml_destination'
  // SAML Profiles §4.1.4.2: an error comes without an assertion.
  return (firstStatus.exec(xml)?.[1] ?? success) === success ? null : 'saml_status'
}

/** The assertion that one of the provider's certificates signed; or what is wrong, for the operator's log. */
export async function signedAssertion(response: string, party: SamlParty): Promise<Result<SamlElement, string>> {
  if (response === '' || response.length > longestResponse || !/^[A-Za-z0-9+/=\s]+$/.test(response))
    return err('saml_response')
  const xml = Buffer.from(response, 'base64').toString('utf8')
  if (!isPlain(xml)) return err('saml_xml')
  const found = xml.match(assertions)?.length ?? 0
  if (found > 1) return err('saml_assertions')
  if (namesWeakAlgorithm(xml)) return err('saml_algorithm')
  const problem = found === 0 ? null : messageProblem(xml, party.recipient)
  if (problem !== null) return err(problem)
  try {
    const saml = await openSaml(party)
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response })
    const read = profile?.getAssertion?.() as { readonly Assertion?: SamlElement } | undefined
    return read?.Assertion === undefined ? err('saml_assertions') : ok(read.Assertion)
  } catch (cause) {
    return err(problemOf(cause, found))
  }
}

/** The library's messages may contain what was sent: only a category is passed on. */
function problemOf(cause: unknown, assertionCount: number): string {
  const { message } = cause as Error
  if (assertionCount === 0) return /\b(?:AuthnFailed|RequestDenied)\b/.test(message) ? 'access_denied' : 'saml_status'
  return 'saml_signature'
}
