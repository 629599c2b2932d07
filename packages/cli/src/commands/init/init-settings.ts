/** What `grantor init` writes: settings by their names, from flags and answers, with what follows from them. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Setting, type SettingKey, settingKeys, settingsList } from '@grantor/server'

export type WrittenValue = string | number | boolean | readonly string[]
/** By the name of the setting (`tls.cert`), or of the file that holds it (`database.url_file`). */
export type WrittenSettings = Readonly<Record<string, WrittenValue>>

export const nameOf = (key: SettingKey): string => settingsList[key].name

/** Whoever gives a flag means the setting: `--issuer`, `--database-url-file`. Paths are no longer relative. */
export function settingsOfFlags(flags: Readonly<Record<string, string | boolean>>, cwd: string): WrittenSettings {
  const written: Record<string, WrittenValue> = {}
  for (const key of settingKeys) {
    const [given, file] = [flags[key], flags[`${key}File`]]
    if (key === 'config') continue
    if (given !== undefined) written[nameOf(key)] = writtenValue(settingsList[key], given, cwd)
    if (file !== undefined) written[`${nameOf(key)}_file`] = resolve(cwd, String(file))
  }
  return written
}

/** As it is read, where that can be written; a duration stays as a person wrote it. What is wrong is found later. */
function writtenValue({ kind }: Setting<unknown, unknown>, given: string | boolean, cwd: string): WrittenValue {
  const value = kind.read(given, cwd)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value as readonly string[]
  return value === Number(given) ? Number(given) : given
}

/** Who ends the TLS of clients: a certificate of this server's own making, one that is given, or a proxy. */
export type TlsEnd = 'local' | 'certificate' | 'proxy'

const isOfThisMachine = (issuer: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(issuer)?.hostname ?? '')

export function tlsEndOf(settings: WrittenSettings): TlsEnd {
  if (nameOf('tlsCert') in settings) return 'certificate'
  if (nameOf('trustProxy') in settings || settings[nameOf('tlsMode')] === 'off') return 'proxy'
  if (settings[nameOf('tlsMode')] === 'on') return 'local'
  return isOfThisMachine(String(settings[nameOf('issuer')])) ? 'local' : 'proxy'
}

export const defaultIssuer = 'https://localhost:8443'

const isGiven = (settings: WrittenSettings, key: SettingKey): boolean =>
  nameOf(key) in settings || `${nameOf(key)}_file` in settings

export const usesPostgres = (settings: WrittenSettings): boolean => isGiven(settings, 'databaseUrl')

/** What was not said and follows; what was said stays. */
export function completed(given: WrittenSettings): WrittenSettings {
  const issuer = { [nameOf('issuer')]: defaultIssuer, ...given }
  const end = tlsEndOf(issuer)
  return {
    // In the file, so that it is the same folder wherever the server is started from.
    [nameOf('data')]: 'data',
    ...(end === 'proxy' ? { [nameOf('trustProxy')]: ['loopback'] } : listenerOf(issuer, end)),
    ...(usesPostgres(given) && !isGiven(given, 'masterKey')
      ? { [nameOf('masterKey')]: randomBytes(32).toString('base64') }
      : {}),
    ...issuer,
  }
}

/** Without a proxy the server listens where its issuer says that it is. */
function listenerOf(settings: WrittenSettings, end: TlsEnd): WrittenSettings {
  const url = URL.parse(String(settings[nameOf('issuer')]))
  const port = url === null || url.port === '' ? 443 : Number(url.port)
  return { ...(end === 'certificate' ? { [nameOf('host')]: '0.0.0.0' } : {}), [nameOf('port')]: port }
}
