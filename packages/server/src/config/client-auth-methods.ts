/** The client authentication methods that the settings leave: metadata and what may be registered follow from the list. */
import { type ClientAuthRule, clientAuthRules } from '@grantor/protocol/client-auth'
import { seesCertificates } from './conflicts.ts'
import type { Settings } from './settings.ts'

export function clientAuthMethodsFrom(settings: Settings): readonly ClientAuthRule[] {
  if (!seesCertificates(settings)) return clientAuthRules.filter(({ byCertificate }) => byCertificate !== true)
  // Without an authority that is trusted, nobody could ever prove itself by one.
  return settings.mtlsClientCa === null
    ? clientAuthRules.filter(({ method }) => method !== 'tls_client_auth')
    : clientAuthRules
}
