/**
 * self_signed_tls_client_auth — RFC 8705 §2.2: a certificate of a key that the client registered, whoever issued it.
 */
import { validityProblem } from '../mtls/certificate-path.ts'
import type { ClientAuthInput, ClientAuthRule } from './rule.ts'

export const selfSignedTlsClientAuth: ClientAuthRule = {
  method: 'self_signed_tls_client_auth',
  byCertificate: true,
  recognise: () => null,
  proves: (it) => selfSignedProblem(it) === null,
}

/** The first check that a certificate fails; null where it is valid. */
export function selfSignedProblem({ shown, client, now }: ClientAuthInput): string | null {
  if (shown === undefined || shown === null || client === null) return 'certificate_missing'
  const { certificate, keys } = shown
  const { keyThumbprint } = certificate
  if (keyThumbprint === null || !keys.some((key) => key.thumbprint() === keyThumbprint)) return 'certificate_key'
  return validityProblem(certificate, now)
}
