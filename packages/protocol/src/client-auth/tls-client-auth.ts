/** tls_client_auth — RFC 8705 §2.1: a certificate of a trusted authority, for the one name that the client registered. */
import { alternativeNameKinds, hasAlternativeName } from '../mtls/alternative-name.ts'
import type { CertificateFacts } from '../mtls/certificate.ts'
import { validityProblem } from '../mtls/certificate-path.ts'
import { isSameName, parseDistinguishedName } from '../mtls/distinguished-name.ts'
import type { ClientMetadata } from '../registration/client-fields.ts'
import type { ClientAuthInput, ClientAuthRule } from './rule.ts'

export const tlsClientAuth: ClientAuthRule = {
  method: 'tls_client_auth',
  byCertificate: true,
  recognise: () => null,
  proves: (it) => tlsClientAuthProblem(it) === null,
}

/** The first check that a certificate fails; null where it is valid. */
export function tlsClientAuthProblem({ shown, client, now }: ClientAuthInput): string | null {
  if (shown === undefined || shown === null || client === null) return 'certificate_missing'
  const { certificate, path } = shown
  if (path.kind === 'error') return path.error
  const untimely = path.value.map((one) => validityProblem(one, now)).find((problem) => problem !== null)
  return untimely ?? nameProblem(certificate, client.metadata)
}

function nameProblem({ subject, alternativeNames }: CertificateFacts, metadata: ClientMetadata): string | null {
  const { tls_client_auth_subject_dn: registered } = metadata
  if (registered !== undefined) {
    const name = parseDistinguishedName(registered)
    return name !== null && isSameName(subject, name) ? null : 'certificate_subject'
  }
  for (const kind of alternativeNameKinds) {
    const value = metadata[`tls_client_auth_san_${kind}`]
    if (value !== undefined) return hasAlternativeName(alternativeNames, kind, value) ? null : `certificate_san_${kind}`
  }
  return 'certificate_subject'
}
