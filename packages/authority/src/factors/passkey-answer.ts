/** What a browser answers for an authenticator, read once: JSON of WebAuthn §5.1, and nobody's word for anything yet. */

export interface PasskeyAnswer {
  /** The credential id, base64url. */
  readonly id: string
  readonly challenge: string
  /** Of a sign-in: whose passkey the authenticator says it is; null where it does not say. */
  readonly userHandle: string | null
  /** As it was sent, for the verification. */
  readonly json: unknown
}

/** The longest answer: an attestation statement of many certificates is not asked for. */
const maxLength = 16_384
/** WebAuthn §4: a credential id has at most 1023 bytes. */
const maxIdLength = 1364

export function readPasskeyAnswer(text: string): PasskeyAnswer | null {
  if (text.length > maxLength) return null
  const json = parsed(text)
  const { id, response } = fieldsOf(json)
  const { clientDataJSON, userHandle } = fieldsOf(response)
  const { challenge, crossOrigin } = fieldsOf(parsed(decoded(clientDataJSON)))
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength || typeof challenge !== 'string') return null
  // Our pages are in no frame of anybody's: an answer from within one was asked for elsewhere.
  if (crossOrigin === true) return null
  return { id, challenge, userHandle: typeof userHandle === 'string' ? userHandle : null, json }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const decoded = (text: unknown): string => (typeof text === 'string' ? Buffer.from(text, 'base64url').toString() : '')

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
