/** The one table of how long texts of strangers may be, in characters. Who sends more is refused, and nothing of it is kept. */
export const textLimits = Object.freeze({
  /** Parameters of an authorization request (RFC 6749 §4.1.1, OIDC Core §3.1.2.1), kept while a person is on the way. */
  state: 4096,
  nonce: 1024,
  loginHint: 1024,
  acrValues: 1024,
  uiLocales: 1024,
  claims: 8192,
  /** Of a backchannel authentication request (CIBA §7.1): what people compare, and what they typed. */
  bindingMessage: 100,
  backchannelUserCode: 64,
  clientNotificationToken: 1024,
  /** A JWT that a client shows us: an assertion, a hint. */
  jwt: 16_384,
  dpopProof: 8192,
  /** What makes a JWT single, and what names a key: RFC 7519 §4.1.7, RFC 7515 §4.1.4. */
  jti: 256,
  kid: 256,
  uri: 2048,
  /** A name that people read: of a client, a tenant, a resource, a person's device. */
  name: 200,
  description: 1000,
  /** A claim about a person. */
  claim: 1000,
})

/** Of `acr_values` and `ui_locales`: preferences beyond that are not kept. */
export const mostPreferences = 20
