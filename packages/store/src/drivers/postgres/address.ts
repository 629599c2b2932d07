/**
 * Parses the address of a database, which may name several servers of one cluster: libpq's grammar, without its rarer
 * parts.
 */
import { StoreRefused } from '../../contract/store.ts'

/** One server of the address, as pg connects to it. */
export interface DatabaseHost {
  readonly url: string
  /** Host and port; unlike the url, it contains no secret. */
  readonly name: string
}

/**
 * Requirements for a server, in libpq's terms: `any` none, `primary` that it is not a standby, `read-write` that it is
 * also writable. libpq's default is `any`, which could pick a standby; here that is the default only for a single host.
 */
const requirements = ['any', 'primary', 'read-write'] as const
export type ServerRequirement = (typeof requirements)[number]

export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[]
  readonly requirement: ServerRequirement
}

const parameter = 'target_session_attrs'

export function readAddress(url: string): DatabaseAddress {
  // Everything before the last @ of the authority is the user's, so a comma there separates no hosts.
  const [, scheme, user = '', hosts, rest] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([/?#][\s\S]*)?$/.exec(url) ?? []
  if (scheme === undefined || hosts === undefined)
    throw new StoreRefused('the address of the database must begin with postgres://')
  const [path = '', search] = (rest ?? '').split('?', 2)
  const parameters = new URLSearchParams(search)
  const names = hosts.split(',')
  const requirement = parameters.get(parameter) ?? (names.length === 1 ? 'any' : 'read-write')
  if (!isRequirement(requirement)) {
    throw new StoreRefused(
      `${parameter}=${requirement} in the address of the database: Grantor writes, so it is one of ${requirements.join(', ')}.`,
    )
  }
  const wrong = names.find((name) => !(names.length === 1 ? /^/ : hostGrammar).test(name))
  if (wrong !== undefined) throw new StoreRefused(`"${wrong}" in the address of the database is no host with a port.`)
  // With one host the query string stays as it is: pg reads sockets and escapes in it.
  const kept = parameters.has(parameter) ? without(parameters) : (search ?? '')
  const end = `${path}${kept === '' ? '' : `?${kept}`}`
  return { hosts: names.map((name) => ({ url: `${scheme}${user}${name}${end}`, name })), requirement }
}

/** A name, an IPv4 address, or an IPv6 address in brackets; optionally with a port. */
const hostGrammar = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

const isRequirement = (word: string): word is ServerRequirement => requirements.some((it) => it === word)

function without(parameters: URLSearchParams): string {
  parameters.delete(parameter)
  return parameters.toString()
}
