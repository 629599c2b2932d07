/** The list of client authentication methods. Adding one means one file and one line here. */
import { clientSecretBasic } from './client-secret-basic.ts'
import { clientSecretPost } from './client-secret-post.ts'
import { federatedJwt } from './federated-jwt.ts'
import { none } from './none.ts'
import { privateKeyJwt } from './private-key-jwt.ts'
import type { ClientAuthRule } from './rule.ts'
import { selfSignedTlsClientAuth } from './self-signed-tls-client-auth.ts'
import { tlsClientAuth } from './tls-client-auth.ts'

export const clientAuthRules: readonly ClientAuthRule[] = Object.freeze([
  clientSecretBasic,
  clientSecretPost,
  privateKeyJwt,
  federatedJwt,
  tlsClientAuth,
  selfSignedTlsClientAuth,
  none,
])
