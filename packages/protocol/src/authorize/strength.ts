/**
 * How strongly a person is signed in: the acr values (OIDC Core §2), which of them satisfies which, and which one a
 * client is told.
 */
import type { AuthorizationRequest } from './request.ts'

/**
 * From weak to strong: one factor; two factors; a passkey, which resists phishing. `phr` is the registered name of the
 * last (OpenID EAP ACR Values §2). `phrh` is not offered: without attestation nobody can vouch for hardware.
 */
export const acrValues = ['urn:grantor:acr:1fa', 'urn:grantor:acr:2fa', 'phr'] as const
export type Acr = (typeof acrValues)[number]
const [oneFactor, twoFactors, phishingResistant] = acrValues

/** The strength of a sign-in; amr in the names of RFC 8176. */
export interface SignInStrength {
  readonly acr: string
  readonly amr: readonly string[]
}

export const byPassword: SignInStrength = Object.freeze({ acr: oneFactor, amr: ['pwd'] })
/**
 * A link mailed to the address on record, used in the browser that requested it. RFC 8176 has no name for mail, but one
 * for several channels (`mca`).
 */
export const byMailedLink: SignInStrength = Object.freeze({ acr: oneFactor, amr: ['mca'] })
/** A code from an app, or a recovery code: both are one-time passwords. `first` is the `amr` of the first factor. */
export const withCode = (first: readonly string[]): SignInStrength => ({
  acr: twoFactors,
  amr: [...new Set([...first, 'otp', 'mfa'])],
})
/** A `synced` key is known to be a software key; for others that is unknown, so nothing is claimed. */
export const byPasskey = ({ synced }: { readonly synced: boolean }): SignInStrength => ({
  acr: phishingResistant,
  amr: ['pop', 'user', 'mfa', ...(synced ? ['swk'] : [])],
})

/** A passkey that was just created: its owner was present, but has not signed anything with it yet. */
export const withNewPasskey = (first: readonly string[]): SignInStrength => ({
  acr: twoFactors,
  amr: [...new Set([...first, 'user', 'mfa'])],
})

/** The factors that a person has enrolled besides the password. */
export interface Factors {
  readonly otp: boolean
  readonly passkey: boolean
  /** How many recovery codes remain. */
  readonly recoveryCodes: number
}
export const noFactors: Factors = Object.freeze({ otp: false, passkey: false, recoveryCodes: 0 })

/** Whether a password alone is not sufficient for this person. */
export const hasSecondFactor = ({ otp, passkey }: Factors): boolean => otp || passkey

/** An acr that is not one of ours is satisfied only by itself. */
export const meetsAcr = (held: string, wanted: string): boolean =>
  held === wanted || (rank(wanted) >= 0 && rank(held) >= rank(wanted))

const rank = (name: string): number => acrValues.findIndex((acr) => acr === name)

/** The strongest acr that the person could reach. */
const reach = (factors: Factors): Acr =>
  factors.passkey ? phishingResistant : factors.otp || factors.recoveryCodes > 0 ? twoFactors : oneFactor

type AcrRequest = Pick<AuthorizationRequest, 'acrValues' | 'claims'>

/** OIDC Core §5.5.1.1: only an essential `acr` claim with values is a condition. */
export function requiredAcr({ claims }: AcrRequest): readonly string[] | null {
  return claims?.id_token['acr']?.essential === true ? namedAcr(claims) : null
}

/** acr_values, or the values of an `acr` claim that is not essential: a preference, in its order. */
const preferredAcr = ({ acrValues: asked, claims }: AcrRequest): readonly string[] =>
  asked.length > 0 ? asked : (namedAcr(claims) ?? [])

function namedAcr(claims: AcrRequest['claims']): readonly string[] | null {
  const claim = claims?.id_token['acr']
  const values = claim?.values ?? (claim?.value === undefined ? null : [claim.value])
  return values?.filter((value) => typeof value === 'string') ?? null
}

/**
 * The acr that this person should be asked to reach now; null where the present one suffices, or they have nothing
 * better. Of a preference, the first that is held or reachable counts.
 */
export function strongerAcr(held: string, request: AcrRequest, factors: Factors): string | null {
  const wantedAcrs = requiredAcr(request) ?? preferredAcr(request)
  const best = wantedAcrs.find((acr) => meetsAcr(held, acr) || meetsAcr(reach(factors), acr))
  return best === undefined || meetsAcr(held, best) ? null : best
}

/** Whether only a passkey suffices. */
export const needsPasskey = (wanted: string | null): boolean => wanted !== null && !meetsAcr(twoFactors, wanted)

/**
 * The acr that a client is told: of those it named, the strongest that was met, else the one that was really reached.
 */
export function reportedAcr(held: string, request: AcrRequest): string {
  const named = [...(requiredAcr(request) ?? []), ...preferredAcr(request)].filter((acr) => meetsAcr(held, acr))
  return named.toSorted((a, b) => rank(b) - rank(a))[0] ?? held
}
