/** Entity tags of resources: RFC 7644 §3.14. */
import { createHash } from 'node:crypto'
import type { ScimResource } from './result.ts'

/** Behind the dot stands what is shown and kept elsewhere, so that a reader hears of it. */
export const versionWith = (version: string | number, elsewhere: string): string =>
  elsewhere === '' ? String(version) : `${version}.${elsewhere}`

/** Weak, because what is shown may be a part. */
export const versionTag = ({ version, elsewhere }: Pick<ScimResource, 'version' | 'elsewhere'>): string =>
  `W/"${versionWith(version, elsewhere)}"`

export const digestOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : createHash('sha256').update(ids.toSorted().join(' ')).digest('base64url').slice(0, 12)
