/** One question to one server of a directory: our own account looks for the person, then the person's password is tried. */
import type { TLSSocket } from 'node:tls'
import type { LdapAnswer, LdapEntry, LdapQuestion } from '@grantor/authority'
import type { Entry, ResultCodeError } from 'ldapts'

/** Bytes: an entry of a person with a few attributes is far smaller. */
const mostBytes = 1024 * 1024

/** RFC 4511 §4.1.9: what says something of the person, and not of the server. */
const refusals: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53])

/** Throws where the connection breaks, or the server says something that is no answer. */
export async function askLdap(question: LdapQuestion, socket: TLSSocket): Promise<LdapAnswer> {
  bound(socket)
  // Loaded by whoever asks first, not by whoever starts.
  const { Client } = await import('ldapts')
  let given = false
  const client = new Client({
    url: 'ldaps://directory.invalid',
    // The one connection that was checked: a broken one is not made anew behind our back.
    createSecureConnection: () => {
      // Of one that is closed already nothing would ever be heard.
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
    // One more than there may be.
    sizeLimit: 2,
    explicitBufferAttributes: [...question.attributes],
  })
  const [found] = searchEntries
  if (found === undefined) return { did: 'absent', problem: 'ldap_no_entry' }
  if (searchEntries.length > 1) return { did: 'absent', problem: 'ldap_several_entries' }
  const entry = entryOf(found)
  // RFC 4513 §5.1.1: without a name it would be nobody's bind.
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

/** The words of the other side are nobody's to keep; its number is. */
function unavailable(problem: string, cause: unknown): LdapAnswer {
  const code = resultCode(cause)
  if (code === null) throw cause
  return { did: 'unavailable', problem: `${problem}_${code}` }
}

/** What the server answered; null for what is no answer of its. */
const resultCode = (cause: unknown): number | null =>
  cause instanceof Error && typeof (cause as ResultCodeError).code === 'number' ? (cause as ResultCodeError).code : null

function bound(socket: TLSSocket): void {
  // There is always somebody to hear of an error, also while the library is loaded; what was asked fails by the end.
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

/** Active Directory's numbers of an object are bytes, which now and then happen to be a text. */
function textOf(value: Buffer | string, name: string): string {
  if (typeof value === 'string') return value
  if (/guid$|sid$|;binary$/i.test(name)) return value.toString('hex')
  try {
    return utf8.decode(value)
  } catch {
    return value.toString('hex')
  }
}
