/** Claims of the protocol itself, which cannot be declared: the registries of RFC 7519, RFC 7662 and OIDC. */

const names: ReadonlySet<string> = new Set(
  [
    // RFC 7519 §4.1, header parameters, and members of an introspection response (RFC 7662 §2.2).
    'iss sub aud exp nbf iat jti typ cty alg kid active token_type username',
    // OIDC Core §2, §3.3.2.11, and logout.
    'azp nonce auth_time acr amr at_hash c_hash s_hash rt_hash sid sub_jwk events toe txn',
    // OAuth: RFC 9068, RFC 8693, RFC 7800, RFC 9396, RFC 9701, status lists, DPoP.
    'client_id scope act may_act cnf authorization_details token_introspection status htm htu ath',
    // Our own.
    'tenant grant_id',
  ].flatMap((line) => line.split(' ')),
)

/** Case-insensitive, because some readers are. */
export const isReservedClaim = (name: string): boolean => names.has(name.toLowerCase())
