/** How strongly a person is signed in: the acr values (OIDC Core §2), which of them meets which, and which one a client is given. */
import type { AuthorizationRequest } from './request.ts'

/**
 * From weak to strong: one factor; two factors; a passkey, which nobody can be talked out of. `phr` is the registered
 * name of the last (OpenID EAP ACR Values §2). `phrh` is not offered: without attestation nobody can vouch for hardware.
 */
export const acrValues = ['urn:grantor:acr:1fa', 'urn:grantor:acr:2fa', 'phr'] as const
export type Acr = (typeof acrValues)[number]
const [oneFactor, twoFactors, phishingResistant] = acrValues

/** How a sign-in was proven; amr in the names of RFC 8176. */
export interface SignInStrength {
  readonly acr: string
  readonly amr: readonly string[]
}

export const byPassword: SignInStrength = Object.freeze({ acr: oneFactor, amr: ['pwd'] })
/**
 * A link that was mailed to the address on record, used in the browser that asked for it. RFC 8176 has no name for the mail;
 * that more than one channel was needed, it has.
 */
export const byMailedLink: SignInStrength = Object.freeze({ acr: oneFactor, amr: ['mca'] })
/** A code from an app, or one of the codes on a list: both are one-time passwords. `first` is the `amr` of what was shown before. */
export const withCode = (first: readonly string[]): SignInStrength => ({
  acr: twoFactors,
  amr: [...new Set([...first, 'otp', 'mfa'])],
})
/** `synced` keys are known to live in software; of the others nobody can say, so nothing is said. */
export const byPasskey = ({ synced }: { readonly synced: boolean }): SignInStrength => ({
  acr: phishingResistant,
  amr: ['pop', 'user', 'mfa', ...(synced ? ['swk'] : [])],
})

/** A passkey that was just made: its maker was there, but nothing was signed with it yet. */
export const withNewPasskey = (first: readonly string[]): SignInStrength => ({
  acr: twoFactors,
  amr: [...new Set([...first, 'user', 'mfa'])],
})

/** What a person has enrolled beside the password. */
export interface Factors {
  readonly otp: boolean
  readonly passkey: boolean
  /** How many recovery codes are left. */
  readonly recoveryCodes: number
}
export const noFactors: Factors = Object.freeze({ otp: false, passkey: false, recoveryCodes: 0 })

/** Whether a password alone does not sign this person in. */
export const hasSecondFactor = ({ otp, passkey }: Factors): boolean => otp || passkey

/** A name of somebody else's that is held is met by itself alone. */
export const meetsAcr = (held: string, wanted: string): boolean =>
  held === wanted || (rank(wanted) >= 0 && rank(held) >= rank(wanted))

const rank = (name: string): number => acrValues.findIndex((acr) => acr === name)

/** The strongest a person could show. */
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
 * Which acr this person should be asked to show now; null where what they hold will do, or where they have nothing
 * better. Of a preference the first that is held or can be reached counts.
 */
export function strongerAcr(held: string, request: AcrRequest, factors: Factors): string | null {
  const wanted = requiredAcr(request) ?? preferredAcr(request)
  const best = wanted.find((acr) => meetsAcr(held, acr) || meetsAcr(reach(factors), acr))
  return best === undefined || meetsAcr(held, best) ? null : best
}

/** Whether only a passkey will do. */
export const needsPasskey = (wanted: string | null): boolean => wanted !== null && !meetsAcr(twoFactors, wanted)

/** The acr that a client is given: of those the client named the strongest that was met, else what was really shown. */
export function reportedAcr(held: string, request: AcrRequest): string {
  const named = [...(requiredAcr(request) ?? []), ...preferredAcr(request)].filter((acr) => meetsAcr(held, acr))
  return named.toSorted((a, b) => rank(b) - rank(a))[0] ?? held
}
