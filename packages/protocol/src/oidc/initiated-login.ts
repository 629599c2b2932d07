/** Sign-ins that somebody else begins: OIDC Core §4. */
import { withQuery } from '../authorize/response.ts'
import type { Client } from '../registration/client.ts'

/** Where the client is asked to begin one, with who asks; null where it wants none begun by others. */
export const initiatedLogin = ({ metadata }: Client, issuer: string): string | null =>
  metadata.initiate_login_uri === undefined ? null : withQuery(metadata.initiate_login_uri, [['iss', issuer]])
