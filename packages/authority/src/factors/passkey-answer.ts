/** Parses the answer of a browser's authenticator (JSON of WebAuthn §5.1); nothing in it is verified yet. */

export interface PasskeyAnswer {
  /** The credential id, base64url. */
  readonly id: string
  readonly challenge: string
  /** For a sign-in: the owner of the passkey as the authenticator names it; null where it does not. */
  readonly userHandle: string | null
  /** The answer as it was sent, for the verification. */
  readonly json: unknown
}

/** The longest answer: an attestation statement with many certificates is not requested. */
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
  // Our pages cannot be framed: an answer from within a frame was requested elsewhere.
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
