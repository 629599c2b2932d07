/**
 * The one table of the maximum lengths of texts from strangers, in characters. Longer texts are refused, and not
 * stored.
 */
export const textLimits = Object.freeze({
  /** Parameters of an authorization request (RFC 6749 §4.1.1, OIDC Core §3.1.2.1), stored during the interaction. */
  state: 4096,
  nonce: 1024,
  loginHint: 1024,
  acrValues: 1024,
  uiLocales: 1024,
  claims: 8192,
  /** A backchannel authentication request (CIBA §7.1): the text that people compare, and the code that they typed. */
  bindingMessage: 100,
  backchannelUserCode: 64,
  clientNotificationToken: 1024,
  /** A JWT that a client presents: an assertion, a hint. */
  jwt: 16_384,
  dpopProof: 8192,
  /** The unique id of a JWT, and the id of a key: RFC 7519 §4.1.7, RFC 7515 §4.1.4. */
  jti: 256,
  kid: 256,
  uri: 2048,
  /** A name for display: of a client, a tenant, a resource, a person's device. */
  name: 200,
  description: 1000,
  /** A claim about a person. */
  claim: 1000,
})

/** For `acr_values` and `ui_locales`: further preferences are ignored. */
export const mostPreferences = 20
