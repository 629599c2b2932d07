/** One question to one LDAP server: binds with our own account, finds the person, then binds with their password. */
import type { TLSSocket } from 'node:tls'
import type { LdapAnswer, LdapEntry, LdapQuestion } from '@grantor/authority'
import type { Entry, ResultCodeError } from 'ldapts'

/** Bytes, far more than a person's entry with a few attributes. */
const mostBytes = 1024 * 1024

/** RFC 4511 §4.1.9: result codes that concern the person, and not the server. */
const refusals: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53])

/** Throws where the connection breaks, or the server sends something that is no LDAP answer. */
export async function askLdap(question: LdapQuestion, socket: TLSSocket): Promise<LdapAnswer> {
  bound(socket)
  // Loaded at the first question, not at the start.
  const { Client } = await import('ldapts')
  let given = false
  const client = new Client({
    url: 'ldaps://directory.invalid',
    // Hands out only the connection that was checked, so that the library cannot open another one.
    createSecureConnection: () => {
      // On a closed socket no further event would come.
      if (given || socket.readyState !== 'open') throw new Error('the connection is over')
      given = true
      return socket
    },
  })
  try {
    await client.bind(question.bindDn, question.bindPassword)
  } catch (cause) {
    return unavailable('ldap_service_bind', cause)
  }
  const { searchEntries } = await client.search(question.base, {
    scope: 'sub',
    derefAliases: 'never',
    filter: question.filter,
    attributes: [...question.attributes],
    // Two, to find out whether there are several.
    sizeLimit: 2,
    explicitBufferAttributes: [...question.attributes],
  })
  const [found] = searchEntries
  if (found === undefined) return { did: 'absent', problem: 'ldap_no_entry' }
  if (searchEntries.length > 1) return { did: 'absent', problem: 'ldap_several_entries' }
  const entry = entryOf(found)
  // RFC 4513 §5.1.1: a bind without a name or password would be anonymous or unauthenticated, and succeed.
  if (entry.dn === '' || question.password === '') return { did: 'absent', problem: 'ldap_no_entry' }
  try {
    await client.bind(entry.dn, question.password)
    return { did: 'bound', entry }
  } catch (cause) {
    const code = resultCode(cause)
    if (code !== null && refusals.has(code)) return { did: 'refused', entry, problem: `ldap_bind_${code}` }
    return unavailable('ldap_bind', cause)
  }
}

/** Keeps the result code, but not the text of the server's message. */
function unavailable(problem: string, cause: unknown): LdapAnswer {
  const code = resultCode(cause)
  if (code === null) throw cause
  return { did: 'unavailable', problem: `${problem}_${code}` }
}

/** The result code of the server; null for an error that is no answer of it. */
const resultCode = (cause: unknown): number | null =>
  cause instanceof Error && typeof (cause as ResultCodeError).code === 'number' ? (cause as ResultCodeError).code : null

function bound(socket: TLSSocket): void {
  // There is always a listener for errors, also while the library is loaded; the question then fails by the closed
  // socket.
  socket.on('error', () => {})
  let bytes = 0
  socket.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > mostBytes) socket.destroy()
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function entryOf({ dn, ...attributes }: Entry): LdapEntry {
  const values = Object.entries(attributes).map(([name, value]) => {
    const all: readonly (Buffer | string)[] = Array.isArray(value) ? value : [value]
    return [name.toLowerCase(), all.map((one) => textOf(one, name))] as const
  })
  return { dn, attributes: new Map(values) }
}

/** GUIDs and SIDs of Active Directory are bytes, which by chance may be valid text. */
function textOf(value: Buffer | string, name: string): string {
  if (typeof value === 'string') return value
  if (/guid$|sid$|;binary$/i.test(name)) return value.toString('hex')
  try {
    return utf8.decode(value)
  } catch {
    return value.toString('hex')
  }
}
