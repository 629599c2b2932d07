/** Subject identifiers of receivers: RFC 9493 §3, SSF 1.0 §3. */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

/** Characters of one member, members of a complex subject. */
export const subjectBounds = Object.freeze({ text: 512, members: 8 })

/** A person by the client's `sub`, or by their address. */
export type NamedPerson =
  | { readonly by: 'sub'; readonly iss: string | null; readonly sub: string }
  | { readonly by: 'email'; readonly email: string }

export interface NamedSubject {
  /** As the receiver sent it; events about the person use it from then on. */
  readonly subId: JsonObject
  readonly person: NamedPerson
}

const text = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= subjectBounds.text ? value : null

/** Null for an invalid identifier of a person, or an unsupported format. */
export function readSubject(value: Json | undefined): NamedSubject | null {
  if (!isJsonObject(value)) return null
  if (value['format'] === 'complex') {
    if (Object.keys(value).length > subjectBounds.members) return null
    const user = simple(value['user'])
    return user && { subId: user.subId, person: user.person }
  }
  return simple(value)
}

function simple(value: Json | undefined): NamedSubject | null {
  if (!isJsonObject(value)) return null
  const { format } = value
  if (format === 'iss_sub') {
    const [iss, sub] = [text(value['iss']), text(value['sub'])]
    return iss === null || sub === null ? null : { subId: { format, iss, sub }, person: { by: 'sub', iss, sub } }
  }
  if (format === 'opaque') {
    const id = text(value['id'])
    return id === null ? null : { subId: { format, id }, person: { by: 'sub', iss: null, sub: id } }
  }
  const email = format === 'email' ? text(value['email']) : null
  return email === null ? null : { subId: { format: 'email', email }, person: { by: 'email', email } }
}

/** A person, or one of their sessions: SSF 1.0 §3.3. */
export const sessionSubject = (user: JsonObject, sid: string | null): JsonObject =>
  sid === null ? user : { format: 'complex', user, session: { format: 'opaque', id: sid } }

/**
 * The person, and perhaps the session, that a transmitter names by `iss_sub`; null if it names nobody of that issuer.
 */
export function subjectOfSignal(
  value: Json | undefined,
  issuer: string,
): { readonly sub: string; readonly sid?: string } | null {
  const named = readSubject(value)
  if (named === null || named.person.by !== 'sub' || named.person.iss !== issuer) return null
  const session = isJsonObject(value) && isJsonObject(value['session']) ? value['session'] : {}
  const sid = session['format'] === 'opaque' ? text(session['id']) : null
  // If the session cannot be identified, no sessions are ended.
  if (Object.keys(session).length > 0 && sid === null) return null
  return { sub: named.person.sub, ...(sid === null ? {} : { sid }) }
}
