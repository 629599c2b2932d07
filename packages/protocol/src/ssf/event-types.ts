/** The supported event types: CAEP 1.0 §3, SSF 1.0 §8.1.4, §8.1.5. */

const caep = 'https://schemas.openid.net/secevent/caep/event-type/'
const ssf = 'https://schemas.openid.net/secevent/ssf/event-type/'

export const signalType = Object.freeze({
  sessionRevoked: `${caep}session-revoked`,
  credentialChange: `${caep}credential-change`,
  tokenClaimsChange: `${caep}token-claims-change`,
  verification: `${ssf}verification`,
  streamUpdated: `${ssf}stream-updated`,
})

/** The types that a stream can request. The other two concern the stream itself, and are sent without a request. */
export const signalsSupported: readonly string[] = [
  signalType.sessionRevoked,
  signalType.credentialChange,
  signalType.tokenClaimsChange,
]

/** RFC 8417 §2.3. */
export const setType = 'secevent+jwt'
export const setMediaType = `application/${setType}`

export const deliveryMethod = Object.freeze({ push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' })
