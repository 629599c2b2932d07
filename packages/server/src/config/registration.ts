/** The deployment's registration policy from the settings; a tenant may override it for itself. */
import { served } from '@grantor/protocol/documents'
import type { RedirectKind } from '@grantor/protocol/oauth'
import { readRegistrationPolicy, registrationDocument, type RegistrationPolicy } from '@grantor/protocol/registration'
import { type AddressRules, type AllowList, allowedHost, appSchemeProblem } from '@grantor/protocol/uri'
import { grantsFrom } from './grants.ts'
import type { Settings } from './settings.ts'

export const registrationFrom = (settings: Settings): RegistrationPolicy => ({
  mode: settings.registrationMode,
  grants: settings.registrationGrants,
  scopes: settings.registrationScopes,
  defaultScope: settings.registrationDefaultScope,
  defaultResource: settings.registrationDefaultResource,
  redirects: settings.registrationRedirects as readonly RedirectKind[],
  mostClients: settings.registrationMostClients,
  unusedLife: settings.registrationUnusedLife,
  metadataDocuments: settings.registrationDocuments === 'on',
  errorRedirects: settings.registrationErrorRedirects,
})

/** The hosts of `outbound.allow` as URLs spell them. */
export const outboundAllowFrom = ({ outboundAllow }: Pick<Settings, 'outboundAllow'>): AllowList =>
  new Set((outboundAllow ?? []).map(allowedHost).filter((host) => host !== null))

/** The rules for URLs of clients, whoever registers them. */
export const addressRulesFrom = (settings: Settings): AddressRules => ({
  schemes: new Set(settings.registrationSchemes),
  outboundAllow: outboundAllowFrom(settings),
})

/** Checks the settings by the rules for a tenant's policy; null where there is no problem. */
export function registrationProblem(settings: Settings): string | null {
  const given = Object.entries(registrationDocument(registrationFrom(settings))).filter(([, value]) => value !== null)
  const read = readRegistrationPolicy(Object.fromEntries(given), {
    ...served,
    grantTypes: grantsFrom(settings).map(({ type }) => type),
  })
  const wrongScheme = settings.registrationSchemes.find((word) => appSchemeProblem(word) !== null)
  if (wrongScheme !== undefined) return `registration.schemes: ${wrongScheme} ${appSchemeProblem(wrongScheme)}`
  const [first] = read.kind === 'error' ? read.error : []
  return first === undefined ? null : `registration.${first.field} ${first.problem}`
}
