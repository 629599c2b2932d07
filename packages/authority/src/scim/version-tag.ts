/** Entity tags of resources: RFC 7644 §3.14. */
import { createHash } from 'node:crypto'
import type { ScimResource } from './result.ts'

/** The tag of data stored elsewhere is appended, so that a change of that data changes the entity tag. */
export const versionWith = (version: string | number, elsewhere: string): string =>
  elsewhere === '' ? String(version) : `${version}.${elsewhere}`

/** Weak, because only some of the attributes may be shown. */
export const versionTag = ({ version, elsewhere }: Pick<ScimResource, 'version' | 'elsewhere'>): string =>
  `W/"${versionWith(version, elsewhere)}"`

export const digestOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : createHash('sha256').update(ids.toSorted().join(' ')).digest('base64url').slice(0, 12)
