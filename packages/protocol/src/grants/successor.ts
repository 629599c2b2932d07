/** The one successor of a refresh token: derived, so that a retry yields the same one and nothing usable is stored. */
import { createHmac } from 'node:crypto'
import { secretPrefix } from '../oauth/token-shape.ts'
import type { Secret } from '../types.ts'

/**
 * HMAC keyed with the presented token over the salt of its row: a reader of the database has the salt but not the key,
 * and the holder of the token has the key but not the salt.
 */
export const successorOf = ({ token, salt }: { readonly token: Secret; readonly salt: Uint8Array }): Secret =>
  `${secretPrefix.refresh}${createHmac('sha256', token).update('refresh successor\0').update(salt).digest('base64url')}` as Secret
