/** Unsafe or contradictory combinations of settings, each with its reason; a server with one of them does not start. */
import { allowedHost } from '@grantor/protocol/uri'
import { mailProblem } from '../mail/server-address.ts'
import { createTheme } from '../pages/theme/theme.ts'
import { themeInputFrom } from './theme.ts'
import { registrationProblem } from './registration.ts'
import { certificateHeaderNameProblem } from '@grantor/protocol/mtls'
import { proxyAddressProblem } from '@grantor/resource/addresses'
import { isLoopback } from './addresses.ts'
import type { Settings } from './settings.ts'
import { signUpHookProblem } from './sign-up-hook.ts'

/** One rule: returns a sentence if it is broken. */
type Rule = (settings: Settings) => string | null | undefined

export const settingConflicts = (settings: Settings): string[] =>
  rules.map((rule) => rule(settings)).filter((sentence) => typeof sentence === 'string')

/** Whether this server itself speaks TLS. */
export const speaksTls = ({ tlsMode, tlsCert, trustProxy }: Settings): boolean =>
  tlsMode === null ? trustProxy === null || tlsCert !== null : tlsMode === 'on'

/** Whether client certificates can reach this server. */
export const seesCertificates = (settings: Settings): boolean =>
  settings.clientCertHeaderName !== null || (speaksTls(settings) && settings.mtlsPort !== 'off')

export const usesPostgres = ({ databaseUrl }: Pick<Settings, 'databaseUrl'>): boolean => databaseUrl !== null

const rules: readonly Rule[] = [
  registrationProblem,
  signUpHookProblem,
  ({ issuer }) => (issuer === null ? null : originProblem('GRANTOR_ISSUER', issuer)),
  (it) =>
    !speaksTls(it) && it.trustProxy === null
      ? 'plain HTTP (tls.mode: off) needs the TLS of a proxy in front: name its address in GRANTOR_TRUST_PROXY'
      : null,
  ({ tlsMode, tlsCert }) =>
    tlsMode === 'off' && tlsCert !== null ? 'a certificate is given, but tls.mode is off: keep one of the two' : null,
  ({ tlsCert, tlsKey }) =>
    tlsCert !== null && tlsKey === null
      ? 'GRANTOR_TLS_CERT needs GRANTOR_TLS_KEY, the private key of the certificate'
      : null,
  ({ tlsCert, tlsKey }) =>
    tlsKey !== null && tlsCert === null ? 'GRANTOR_TLS_KEY needs GRANTOR_TLS_CERT, the certificate of the key' : null,
  ({ trustProxy }) =>
    trustProxy
      ?.map((word) => problemOf('GRANTOR_TRUST_PROXY', proxyAddressProblem(word)))
      .find((problem) => problem !== null),
  ({ outboundAllow }) => {
    const wrong = outboundAllow?.find((entry) => allowedHost(entry) === null)
    return wrong === undefined ? null : `GRANTOR_OUTBOUND_ALLOW: ${wrong} is not a host or host:port`
  },
  ({ databaseUrl }) =>
    databaseUrl !== null && !/^postgres(ql)?:\/\/[^/]/.test(databaseUrl)
      ? 'GRANTOR_DATABASE_URL must begin with postgres:// (leave it out for SQLite)'
      : null,
  (it) =>
    usesPostgres(it) && it.masterKey === null
      ? 'PostgreSQL needs GRANTOR_MASTER_KEY (or GRANTOR_MASTER_KEY_FILE), the same on every node: openssl rand -base64 32'
      : null,
  ({ masterKey }) =>
    masterKey !== null && masterKey.length < 32 ? 'GRANTOR_MASTER_KEY must have at least 32 characters' : null,
  ({ masterKeyPrevious }) =>
    masterKeyPrevious !== null && masterKeyPrevious.length < 32
      ? 'GRANTOR_MASTER_KEY_PREVIOUS must have at least 32 characters'
      : null,
  ({ masterKey, masterKeyPrevious }) =>
    masterKey !== null && masterKey === masterKeyPrevious
      ? 'GRANTOR_MASTER_KEY and GRANTOR_MASTER_KEY_PREVIOUS are the same: give the new one as GRANTOR_MASTER_KEY'
      : null,
  (it) =>
    it.workers !== 'auto' && it.workers > 1 && !usesPostgres(it)
      ? 'GRANTOR_WORKERS above 1 needs PostgreSQL: one process owns a SQLite file'
      : null,
  ({ demo, host }) =>
    demo && !isLoopback(host) ? `the demo has well-known passwords and does not start on ${host}: use 127.0.0.1` : null,
  ({ mtlsUrl }) => (mtlsUrl === null ? null : originProblem('GRANTOR_MTLS_URL', mtlsUrl)),
  (it) =>
    it.mtlsUrl !== null && !seesCertificates(it)
      ? 'GRANTOR_MTLS_URL sends clients where no certificate of theirs reaches us: it needs GRANTOR_CLIENT_CERT_HEADER_NAME behind a proxy, or GRANTOR_MTLS_PORT where this server speaks TLS'
      : null,
  ({ clientCertHeaderName: name, trustProxy }) =>
    name !== null && trustProxy === null
      ? 'GRANTOR_CLIENT_CERT_HEADER_NAME needs GRANTOR_TRUST_PROXY: from anybody but a named proxy it would be a lie'
      : null,
  ({ clientCertHeaderName: name }) =>
    problemOf('GRANTOR_CLIENT_CERT_HEADER_NAME', name === null ? null : certificateHeaderNameProblem(name)),
  (it) => samePort('GRANTOR_PORT', it.port, 'GRANTOR_MANAGEMENT_PORT', it.managementPort),
  (it) => samePort('GRANTOR_PORT', it.port, 'GRANTOR_MTLS_PORT', portOf(it.mtlsPort)),
  (it) => samePort('GRANTOR_MANAGEMENT_PORT', it.managementPort, 'GRANTOR_MTLS_PORT', portOf(it.mtlsPort)),
  (it) => (it.demo ? samePort('GRANTOR_MTLS_PORT', portOf(it.mtlsPort), 'GRANTOR_DEMO_PORT', it.demoPort) : null),
  (it) => (it.demo ? samePort('GRANTOR_PORT', it.port, 'GRANTOR_DEMO_PORT', it.demoPort) : null),
  (it) => (it.demo ? samePort('GRANTOR_MANAGEMENT_PORT', it.managementPort, 'GRANTOR_DEMO_PORT', it.demoPort) : null),
  (it) => themeProblem(it),
  (it) => mailProblem(it),
  ({ refreshTokenIdle, refreshTokenLife }) =>
    refreshTokenIdle > refreshTokenLife
      ? 'lifetime.refresh_token_idle must not be longer than lifetime.refresh_token, which is all of it'
      : null,
  ({ sessionIdle, sessionLife }) =>
    sessionIdle > sessionLife
      ? 'lifetime.session_idle must not be longer than lifetime.session, which is all of it'
      : null,
  ({ keyAnnounce, keyRotation }) =>
    keyAnnounce >= keyRotation
      ? 'key.announce must be shorter than key.rotation: a key is published before it signs'
      : null,
]

/** RFC 8414 §2: https, no query, no fragment. Our own rule: no path, because tenants are under /t/. */
function originProblem(setting: string, origin: string): string | null {
  let url: URL
  try {
    url = new URL(origin)
  } catch {
    return `${setting} is not a URL: ${origin}`
  }
  if (url.protocol !== 'https:') return `${setting} must begin with https://`
  if (url.username !== '' || url.password !== '') return `${setting} must not hold a user or password`
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(origin)) return `${setting} must have no query or fragment`
  if (origin.endsWith('/')) return `${setting} must not end with a slash: it is compared letter by letter`
  if (url.pathname !== '/') return `${setting} must have no path`
  // Clients compare issuers as strings, so only the normal form of URL parsers is allowed.
  return origin === url.origin ? null : `${setting} must be written as ${url.origin}`
}

const portOf = (port: number | 'off' | null): number => (typeof port === 'number' ? port : 0)

const problemOf = (setting: string, problem: string | null): string | null =>
  problem === null ? null : `${setting}: ${problem}`

/** Checked here and not only when the server starts, so that `config check` finds it, too. */
function themeProblem(settings: Settings): string | null {
  const themed = createTheme(themeInputFrom(settings))
  return themed.kind === 'ok' ? null : `the theme cannot be shown: ${themed.error.join('; ')}`
}

const samePort = (one: string, a: number, other: string, b: number): string | null =>
  a !== 0 && a === b ? `${one} and ${other} are both ${a}` : null
