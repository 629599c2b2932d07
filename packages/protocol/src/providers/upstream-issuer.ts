/** The issuer of a provider's tokens. Entra's directories share one address, but each has its own issuer. */
import type { JsonObject } from '../types.ts'

/** As in the discovery document of `common` and `organizations`. */
const placeholder = '{tenantid}'
const shared = /\/(?:common|organizations)\/v2\.0$/
const directoryId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the issuer in a discovery document fits the declared address (OIDC Discovery §4.3). */
export const isIssuerOfDocument = (named: unknown, declared: string): named is string =>
  named === declared || (shared.test(declared) && named === declared.replace(shared, `/${placeholder}/v2.0`))

/**
 * The issuer of a token: the declared one, or, for a template, that of the directory in its own `tid`; null for any
 * other.
 */
export function issuerOfToken({ iss, tid }: JsonObject, issuer: string): string | null {
  if (!issuer.includes(placeholder)) return iss === issuer ? issuer : null
  if (typeof tid !== 'string' || !directoryId.test(tid)) return null
  const named = issuer.replace(placeholder, tid)
  return iss === named ? named : null
}

/** RFC 9207 §2.4, against mix-up attacks: the answer must name the provider that was asked. */
export function isAnswerOf(iss: string | undefined, issuer: string, promised: boolean): boolean {
  if (iss === undefined) return !promised
  if (!issuer.includes(placeholder)) return iss === issuer
  const [before = '', after = ''] = issuer.split(placeholder)
  return (
    iss.startsWith(before) &&
    iss.endsWith(after) &&
    directoryId.test(iss.slice(before.length, iss.length - after.length))
  )
}
