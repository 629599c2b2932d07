/**
 * Versions, which ETags are made of, where what is shown is not all stored at one. What is only told of how often
 * something is used is left out where it can be changed: a tag that every use of it makes another would refuse every
 * change to what is much used.
 */
import { digestOf, versionWith } from '@grantor/authority'

const digestOfMembers = (members: object): string =>
  digestOf(Object.entries(members).flatMap(([name, it]) => (it === undefined ? [] : [`${name}=${JSON.stringify(it)}`])))

/** As in SCIM: behind a dot stands what is shown and kept elsewhere. */
export const shownVersion = (stored: string | number, elsewhere: object): string =>
  versionWith(stored, digestOfMembers(elsewhere))

/** What of it is stored: what a change is committed at. It does not write what is kept elsewhere. */
export const storedVersion = (version: string | number): string => String(version).split('.', 1).join('')

/** Of what is shown and stored at no version. */
export const versionOfShown = (value: object): string => digestOfMembers(value)
