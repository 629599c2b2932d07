/** Cursors: where the next page of a list begins, encrypted so that clients cannot read or forge them (AIP-158). */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { problem, type Problem, type Scalar } from '@grantor/protocol/http'
import { err, type Err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'

/** What a cursor is bound to; it is refused elsewhere. It grants nothing: token and tenant are checked on each page. */
export interface CursorBinding {
  readonly tenant: string
  readonly collection: string
  /** listIdentity() of the query: filter and sort. */
  readonly list: string
}

export interface Cursors {
  seal(after: readonly Scalar[], binding: CursorBinding, now: Instant): string
  open(cursor: string, binding: CursorBinding, now: Instant): Result<readonly Scalar[], Problem>
}

const life = 3 * 86_400_000
/** Enough for the longest sort keys and id that a collection may declare (see list-rules.ts), in a URL of 8 KiB. */
export const longestCursor = 7680
const nonceSize = 12
const tagSize = 16

/** Any secret of 32 bytes or more, shared by all nodes of an API. Cursors made with another one are refused. */
export function createCursors(secret: Uint8Array): Cursors {
  if (secret.length < 32) throw new RangeError('the cursor secret has at least 32 bytes')
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'grantor cursor v1', 32))
  return {
    seal(after, binding, now) {
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const plain = JSON.stringify([now, bindingDigest(binding), after])
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return sealed.toString('base64url')
    },
    open(cursor, binding, now) {
      const plain = unseal(cursor, key)
      if (plain === null) return cursorProblem('invalid_cursor', 'This is no cursor of this API.')
      const [madeAt, digest, after] = JSON.parse(plain) as [Instant, string, readonly Scalar[]]
      if (digest !== bindingDigest(binding)) {
        return cursorProblem(
          'cursor_mismatch',
          'The cursor belongs to another list: filter, sort order or tenant differ.',
        )
      }
      // A cursor made in the future comes from a node whose clock is ahead; it counts as new.
      if (now - madeAt >= life) return cursorProblem('cursor_expired', 'The cursor is older than three days.')
      return ok(after)
    },
  }
}

function unseal(cursor: string, key: Buffer): string | null {
  if (cursor.length > longestCursor || !/^[\w-]+$/.test(cursor)) return null
  const sealed = Buffer.from(cursor, 'base64url')
  // base64url has several spellings of the same bytes; only ours is a cursor.
  if (sealed.length <= nonceSize + tagSize || sealed.toString('base64url') !== cursor) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceSize), { authTagLength: tagSize })
  decipher.setAuthTag(sealed.subarray(-tagSize))
  try {
    return decipher.update(sealed.subarray(nonceSize, -tagSize), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

function bindingDigest({ tenant, collection, list }: CursorBinding): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, collection, list]))
    .digest('base64url')
    .slice(0, 22)
}

function cursorProblem(code: string, detail: string): Err<Problem> {
  return err(problem('invalid-cursor', detail, { code, errors: [{ parameter: 'cursor', code, detail }] }))
}
