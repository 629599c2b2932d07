/** Sign-ins initiated by a third party: OIDC Core §4. */
import { withQuery } from '../authorize/response.ts'
import type { Client } from '../registration/client.ts'

/** The address at which the client starts one, with the issuer; null where it does not support it. */
export const initiatedLogin = ({ metadata }: Client, issuer: string): string | null =>
  metadata.initiate_login_uri === undefined ? null : withQuery(metadata.initiate_login_uri, [['iss', issuer]])
