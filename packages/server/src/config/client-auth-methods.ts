/** The client authentication methods that the settings allow; metadata and registration follow from the list. */
import { type ClientAuthRule, clientAuthRules } from '@grantor/protocol/client-auth'
import { seesCertificates } from './conflicts.ts'
import type { Settings } from './settings.ts'

export function clientAuthMethodsFrom(settings: Settings): readonly ClientAuthRule[] {
  if (!seesCertificates(settings)) return clientAuthRules.filter(({ byCertificate }) => byCertificate !== true)
  // Without a trusted authority, no client could authenticate by this method.
  return settings.mtlsClientCa === null
    ? clientAuthRules.filter(({ method }) => method !== 'tls_client_auth')
    : clientAuthRules
}
