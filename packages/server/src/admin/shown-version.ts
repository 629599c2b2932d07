/**
 * Versions for ETags where the shown members are not all stored under one version. Members that only tell of use
 * (`last_used_at`) are left out of changeable resources: otherwise every use would change the ETag, and so make changes
 * of much used resources fail.
 */
import { digestOf, versionWith } from '@grantor/authority'

const digestOfMembers = (members: object): string =>
  digestOf(Object.entries(members).flatMap(([name, it]) => (it === undefined ? [] : [`${name}=${JSON.stringify(it)}`])))

/** As in SCIM: the stored version, and after a dot a digest of the members stored elsewhere. */
export const shownVersion = (stored: string | number, elsewhere: object): string =>
  versionWith(stored, digestOfMembers(elsewhere))

/** The stored part, which a change is committed against, as it does not write the members stored elsewhere. */
export const storedVersion = (version: string | number): string => String(version).split('.', 1).join('')

/** The version of a resource that is stored without one: a digest of its shown members. */
export const versionOfShown = (value: object): string => digestOfMembers(value)
