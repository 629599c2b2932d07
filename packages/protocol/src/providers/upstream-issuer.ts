/** Who signs for a provider. Entra's many directories share one address, and each signs under a name of its own. */
import type { JsonObject } from '../types.ts'

/** As the discovery document of `common` and `organizations` writes it. */
const placeholder = '{tenantid}'
const shared = /\/(?:common|organizations)\/v2\.0$/
const directoryId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a discovery document found below `declared` must say of its issuer (OIDC Discovery §4.3). */
export const isIssuerOfDocument = (named: unknown, declared: string): named is string =>
  named === declared || (shared.test(declared) && named === declared.replace(shared, `/${placeholder}/v2.0`))

/** Whose token it is: the issuer, or the directory of a template that its own `tid` names; null for anybody else. */
export function issuerOfToken({ iss, tid }: JsonObject, issuer: string): string | null {
  if (!issuer.includes(placeholder)) return iss === issuer ? issuer : null
  if (typeof tid !== 'string' || !directoryId.test(tid)) return null
  const named = issuer.replace(placeholder, tid)
  return iss === named ? named : null
}

/** RFC 9207 §2.4, against mix-up: the answer names the one who was asked. */
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
