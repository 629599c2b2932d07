/** Enrolling a passkey (WebAuthn §7.1): the options for the browser, and the row made from its answer. */
import { shortened } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { PasskeyRow } from '@grantor/store'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import type { Issuers } from '../ports/environment.ts'
import { displayedPerson } from '../interact/display.ts'
import type { Visitor } from '../interact/visitor.ts'
import { readPasskeyAnswer } from './passkey-answer.ts'
import {
  type ChallengeDependencies,
  spendChallenge,
  poseChallenge,
  relyingParty,
  userHandleOf,
} from './relying-party.ts'
import { authenticatorTimeout } from './passkey-sign-in.ts'

export interface EnrolmentDependencies extends ChallengeDependencies {
  readonly issuers: Issuers
}

/** COSE: EdDSA, ES256, RS256. Every authenticator supports one of them. */
const algorithms = [-8, -7, -257]
const longestName = 60

/** PublicKeyCredentialCreationOptionsJSON; `service` is what the authenticator shows beside the account. */
export async function enrolmentQuestion(
  { person, service }: { readonly person: Person; readonly service: string },
  visitor: Visitor,
  deps: EnrolmentDependencies,
): Promise<JsonObject | null> {
  const { tenant, id } = person
  const party = relyingParty(tenant, deps.issuers)
  const challenge = party === null ? null : await poseChallenge({ enrol: id }, visitor, deps)
  if (party === null || challenge === null) return null
  const held = await deps.store.factors.passkeys(tenant, id)
  const { name, username } = displayedPerson(person)
  return {
    challenge,
    rp: { id: party.id, name: service },
    user: { id: userHandleOf(tenant, id, deps.ids), name: username, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: authenticatorTimeout,
    attestation: 'none',
    excludeCredentials: held.map((it) => ({ id: it.id, type: 'public-key', transports: [...it.transports] })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    extensions: { credProps: true },
  }
}

/** The row to store; null where any check fails. */
export async function enrolledPasskey(
  { person, text, name }: { readonly person: Person; readonly text: string; readonly name: string },
  visitor: Visitor,
  deps: EnrolmentDependencies,
): Promise<PasskeyRow | null> {
  const { tenant, id: subject } = person
  const party = relyingParty(tenant, deps.issuers)
  const answer = readPasskeyAnswer(text)
  if (party === null || answer === null) return null
  if (!(await spendChallenge({ challenge: answer.challenge, purpose: { enrol: subject } }, visitor, deps))) return null
  // Loaded when first needed, like its counterpart in passkey-sign-in.ts.
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  try {
    const response = answer.json as RegistrationResponseJSON
    const { attestationObject } = response.response
    if (!isPlain(decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url'))))) return null
    const { verified, registrationInfo: made } = await verifyRegistrationResponse({
      response,
      expectedChallenge: answer.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { id, publicKey, counter } = made.credential
    const synced = made.credentialDeviceType === 'multiDevice'
    const kept = { tenant, id, subject, name: shortened(name.trim(), longestName), publicKey, counter, synced }
    return { ...kept, transports: transportsOf(response), createdAt: deps.clock.now(), lastUsedAt: null }
  } catch {
    // The verification throws for every invalid answer, and all its input comes from a stranger.
    return null
  }
}

/**
 * Attestation is not requested. If it comes anyway, only a signature by the passkey itself is accepted: verifying
 * certificates would mean fetching addresses that a stranger's certificate names.
 */
function isPlain(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

const known = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** How the authenticator can be reached, to speed up the next sign-in; only a hint. */
const transportsOf = ({ response }: RegistrationResponseJSON): readonly string[] =>
  Array.isArray(response.transports) ? [...new Set(response.transports)].filter((it) => known.has(it)) : []
