/** The settings that `grantor init` writes, by name: from flags and answers, with defaults that follow from them. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Setting, type SettingKey, settingKeys, settingsList } from '@grantor/server'

export type WrittenValue = string | number | boolean | readonly string[]
/** By the name of the setting (`tls.cert`), or of its file (`database.url_file`). */
export type WrittenSettings = Readonly<Record<string, WrittenValue>>

export const nameOf = (key: SettingKey): string => settingsList[key].name

/** Settings from flags: `--issuer`, `--database-url-file`. Paths are made absolute. */
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

/** The parsed value, if YAML can hold it; durations keep their text. Invalid values are found later. */
function writtenValue({ kind }: Setting<unknown, unknown>, given: string | boolean, cwd: string): WrittenValue {
  const value = kind.read(given, cwd)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value as readonly string[]
  return value === Number(given) ? Number(given) : given
}

/** How TLS is terminated: by a certificate of the local CA, by a given one, or at a proxy. */
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

/** Adds settings that follow from the given ones, without changing these. */
export function completed(given: WrittenSettings): WrittenSettings {
  const issuer = { [nameOf('issuer')]: defaultIssuer, ...given }
  const end = tlsEndOf(issuer)
  return {
    // Written to the file, so that the folder does not depend on where the server is started.
    [nameOf('data')]: 'data',
    ...(end === 'proxy' ? { [nameOf('trustProxy')]: ['loopback'] } : listenerOf(issuer, end)),
    ...(usesPostgres(given) && !isGiven(given, 'masterKey')
      ? { [nameOf('masterKey')]: randomBytes(32).toString('base64') }
      : {}),
    ...issuer,
  }
}

/** Without a proxy the server listens at the port of its issuer. */
function listenerOf(settings: WrittenSettings, end: TlsEnd): WrittenSettings {
  const url = URL.parse(String(settings[nameOf('issuer')]))
  const port = url === null || url.port === '' ? 443 : Number(url.port)
  return { ...(end === 'certificate' ? { [nameOf('host')]: '0.0.0.0' } : {}), [nameOf('port')]: port }
}
