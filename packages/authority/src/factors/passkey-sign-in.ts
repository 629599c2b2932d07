/** Signing in with a passkey (WebAuthn §7.2): the options for the browser, and the verification of its answer. */
import { byPasskey, type SignInStrength } from '@grantor/protocol/authorize'
import type { Person } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { PasskeyRow } from '@grantor/store'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Issuers } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'
import type { Visitor } from '../interact/visitor.ts'
import { readPasskeyAnswer } from './passkey-answer.ts'
import {
  type ChallengeDependencies,
  spendChallenge,
  poseChallenge,
  type ChallengePurpose,
  type RelyingParty,
  relyingParty,
  userHandleOf,
} from './relying-party.ts'

export interface PasskeyDependencies extends ChallengeDependencies {
  readonly issuers: Issuers
  readonly people: People
}

/** How long an authenticator waits for its owner, in milliseconds; a hint to the browser. */
export const authenticatorTimeout = 300_000

/**
 * PublicKeyCredentialRequestOptionsJSON. `of` names the person whose passkeys are accepted; null leaves the choice to
 * the person.
 */
export async function passkeyQuestion(
  { purpose, of }: { readonly purpose: ChallengePurpose; readonly of: string | null },
  visitor: Visitor,
  deps: PasskeyDependencies,
): Promise<JsonObject | null> {
  const party = relyingParty(visitor.tenant, deps.issuers)
  const held = of === null ? [] : await deps.store.factors.passkeys(visitor.tenant, of)
  if (party === null || (of !== null && held.length === 0)) return null
  const challenge = await poseChallenge(purpose, visitor, deps)
  if (challenge === null) return null
  return {
    challenge,
    rpId: party.id,
    timeout: authenticatorTimeout,
    userVerification: 'required',
    allowCredentials: held.map(({ id, transports }) => ({ id, type: 'public-key', transports: [...transports] })),
  }
}

export type PasskeyProof =
  | (SignInStrength & { readonly person: Person })
  /** The owner of the passkey that was refused, for the log alone. */
  | { readonly person: null; readonly subject: string | null }

interface PasskeyProofInput {
  readonly text: string
  readonly purpose: ChallengePurpose
  /** Whether the person was known before the answer. */
  readonly known: boolean
}

export async function proveByPasskey(
  { text, purpose, known }: PasskeyProofInput,
  visitor: Visitor,
  deps: PasskeyDependencies,
): Promise<PasskeyProof> {
  const nobody = { person: null, subject: null }
  const party = relyingParty(visitor.tenant, deps.issuers)
  const answer = readPasskeyAnswer(text)
  if (party === null || answer === null) return nobody
  // The challenge is used up in any case: an answer is verified once.
  if (!(await spendChallenge({ challenge: answer.challenge, purpose }, visitor, deps))) return nobody
  const passkey = await deps.store.factors.passkey(visitor.tenant, answer.id)
  if (passkey === null) return nobody
  const unproven = { person: null, subject: passkey.subject }
  // WebAuthn §7.2 step 6: if the authenticator names the owner, it must be the one we know; it must name the owner
  // where the person was not known before.
  const owner = userHandleOf(visitor.tenant, passkey.subject, deps.ids)
  if ((answer.userHandle ?? (known ? owner : null)) !== owner) return unproven
  const counter = await verifiedCounter({ json: answer.json, challenge: answer.challenge, passkey, party })
  if (counter === null) return unproven
  const person = await deps.people.find(visitor.tenant, passkey.subject)
  if (person === null || person.disabledAt !== null) return unproven
  const use = { tenant: visitor.tenant, id: passkey.id, counter, at: deps.clock.now() }
  if ((await deps.store.factors.usePasskey(use)) === 'regressed') return unproven
  return { person, ...byPasskey(passkey) }
}

interface Assertion {
  readonly json: unknown
  readonly challenge: string
  readonly passkey: PasskeyRow
  readonly party: RelyingParty
}

/** The new counter; null where any check fails. */
async function verifiedCounter({ json, challenge, passkey, party }: Assertion): Promise<number | null> {
  // Loaded on first use: loading takes long, and most processes never need it.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified: right, authenticationInfo } = await verifyAuthenticationResponse({
      response: json as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.counter },
    })
    // WebAuthn §7.2 step 19: whether a passkey can be synced is fixed when it is created.
    const isSame = (authenticationInfo.credentialDeviceType === 'multiDevice') === passkey.synced
    return right && isSame ? authenticationInfo.newCounter : null
  } catch {
    // The verification throws for every invalid answer, and all its input comes from a stranger.
    return null
  }
}
