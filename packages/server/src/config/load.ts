/** Loads the settings: a flag beats a variable beats the file beats the default. Records the source of every value. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '@grantor/protocol/result'
import { settingConflicts } from './conflicts.ts'
import { readSettingsFile } from './file.ts'
import type { RawValue } from './kinds.ts'
import { nearest } from './nearest.ts'
import {
  flagOf,
  foreignPrefixes,
  reservedPrefixes,
  type Setting,
  type SettingKey,
  settingKeys,
  type Settings,
  type SettingSource,
  type SettingSources,
  settingsList,
  variableOf,
} from './settings.ts'

export interface SettingInputs {
  /** Parsed flags by setting key (`tlsCert`); secrets by `<key>File`. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The text of a settings file that is not written yet, used in place of the file. */
  readonly draft?: { readonly path: string; readonly text: string }
}

export interface LoadedSettings {
  readonly settings: Settings
  readonly sources: SettingSources
  readonly warnings: readonly string[]
}

interface GivenValue {
  readonly raw: RawValue
  readonly source: SettingSource
  /** The folder that a relative path starts from. */
  readonly base: string
}

export function loadSettings(inputs: SettingInputs): Result<LoadedSettings, readonly string[]> {
  const problems: string[] = []
  const file = settingsFile(inputs, problems)
  problems.push(...unknownVariables(inputs.env), ...unknownKeys(file))
  if (problems.length > 0) return err(problems)

  const values: Partial<Record<SettingKey, unknown>> = {}
  const sources: Partial<Record<SettingKey, SettingSource>> = {}
  const warnings = [
    ...Object.keys(inputs.env).filter(isReserved),
    ...[...(file?.entries.keys() ?? [])].filter((name) => !namesInFile.includes(name)),
  ].map((name) => `${name} has no effect yet`)
  for (const key of settingKeys) {
    const setting = settingsList[key] as Setting<unknown, unknown>
    const given = firstGiven(key, inputs, file, problems)
    const value = given ? readValue(setting, given, problems) : defaultValue(setting, inputs.cwd)
    values[key] = value
    sources[key] = given?.source ?? { kind: 'default', where: 'default' }
  }
  if (problems.length > 0) return err(problems)
  const settings = { ...values, sources } as Settings
  const unsafe = settingConflicts(settings)
  if (unsafe.length > 0) return err(unsafe)
  return ok({ settings, sources: sources as SettingSources, warnings })
}

interface SettingsFile {
  readonly path: string
  readonly entries: ReadonlyMap<string, RawValue>
  /** All keys, including those without a value. */
  readonly names: readonly string[]
}

function settingsFile(inputs: SettingInputs, problems: string[]): SettingsFile | null {
  if (inputs.draft !== undefined) return parsedFile(inputs.draft, problems)
  const named = inputs.flags['config'] ?? (inputs.env['GRANTOR_CONFIG'] || undefined)
  const path = resolve(inputs.cwd, typeof named === 'string' ? named : 'grantor.yaml')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    if (named !== undefined || !absent)
      problems.push(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`)
    return null
  }
  return parsedFile({ path, text }, problems)
}

function parsedFile({ path, text }: NonNullable<SettingInputs['draft']>, problems: string[]): SettingsFile | null {
  const entries = readSettingsFile(text)
  if ('problem' in entries) {
    problems.push(`${path}: ${entries.problem}`)
    return null
  }
  const given = entries.flatMap(({ name, raw }): [string, RawValue][] => (raw === null ? [] : [[name, raw]]))
  return { path, entries: new Map(given), names: entries.map(({ name }) => name) }
}

const namesInFile = settingKeys.flatMap((key) => {
  const { name, secret } = settingsList[key]
  if (name === 'config') return []
  return secret ? [name, `${name}_file`] : [name]
})
const variables = settingKeys.flatMap((key) => {
  const { name, secret } = settingsList[key]
  return secret ? [variableOf(name), `${variableOf(name)}_FILE`] : [variableOf(name)]
})

const isReserved = (name: string): boolean =>
  !variables.includes(name) && reservedPrefixes.some((prefix) => name.startsWith(prefix))

function unknownVariables(env: SettingInputs['env']): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('GRANTOR_') && !variables.includes(name))
    .filter((name) => ![...reservedPrefixes, ...foreignPrefixes].some((prefix) => name.startsWith(prefix)))
    .map((name) => {
      // A Kubernetes service called "grantor" puts GRANTOR_SERVICE_HOST and its like into every pod.
      if (/^GRANTOR_(SERVICE_|PORT_\d)/.test(name)) {
        return `${name} looks like a Kubernetes service link: set enableServiceLinks: false on the pod`
      }
      return unknownName(`variable ${name}`, nearest(name, variables))
    })
}

function unknownKeys(file: SettingsFile | null): string[] {
  if (file === null) return []
  return file.names
    .filter((name) => !namesInFile.includes(name) && !name.startsWith('limit.') && !isEmptySection(file, name))
    .map((name) => `${file.path}: ${unknownName(`setting ${name}`, nearest(name, namesInFile))}`)
}

/** Such as `tls:` where all lines below it are comments. */
const isEmptySection = ({ entries }: SettingsFile, name: string): boolean =>
  !entries.has(name) && namesInFile.some((known) => known.startsWith(`${name}.`))

const unknownName = (what: string, near: string | null): string =>
  `unknown ${what}${near === null ? '' : `; did you mean ${near}?`}`

function firstGiven(
  key: SettingKey,
  inputs: SettingInputs,
  file: SettingsFile | null,
  problems: string[],
): GivenValue | null {
  const { name, secret, flag: hasFlag } = settingsList[key]
  const variable = variableOf(name)
  const cwd = inputs.cwd
  const candidates = [
    hasFlag ? givenValue(inputs.flags[key], { kind: 'flag', where: flagOf(name) }, cwd) : null,
    secret
      ? valueInFile(inputs.flags[`${key}File`], { kind: 'flag', where: `${flagOf(name)}-file` }, cwd, problems)
      : null,
    givenValue(inputs.env[variable], { kind: 'variable', where: variable }, cwd),
    secret
      ? valueInFile(inputs.env[`${variable}_FILE`], { kind: 'variable', where: `${variable}_FILE` }, cwd, problems)
      : null,
  ]
  if (file !== null) {
    const base = dirname(file.path)
    candidates.push(givenValue(file.entries.get(name), { kind: 'file', where: `${name} in ${file.path}` }, base))
    const where = `${name}_file in ${file.path}`
    if (secret) candidates.push(valueInFile(file.entries.get(`${name}_file`), { kind: 'file', where }, base, problems))
  }
  const found = candidates.filter((one) => one !== null)
  const [first, second] = found
  if (first && second && first.source.kind === second.source.kind) {
    problems.push(`${first.source.where} and ${second.source.where} are both given: keep one`)
  }
  return first ?? null
}

/** An empty text counts as not given, like `GRANTOR_ISSUER=` in an env file. */
function givenValue(raw: RawValue | undefined, source: SettingSource, base: string): GivenValue | null {
  return raw === undefined || raw === '' ? null : { raw, source, base }
}

function valueInFile(
  raw: RawValue | undefined,
  source: SettingSource,
  base: string,
  problems: string[],
): GivenValue | null {
  if (raw === undefined || raw === '') return null
  const path = resolve(base, String(raw))
  try {
    const held = readFileSync(path, 'utf8').trim()
    if (held !== '') return { raw: held, source, base }
    problems.push(`${source.where}: ${path} is empty`)
  } catch (cause) {
    problems.push(`${source.where}: ${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`)
  }
  return null
}

function readValue(setting: Setting<unknown, unknown>, { raw, source, base }: GivenValue, problems: string[]): unknown {
  const value = setting.kind.read(raw, base)
  if (value === undefined) {
    const shown = setting.secret ? '' : `, not ${JSON.stringify(raw)}`
    const link =
      typeof raw === 'string' && raw.startsWith('tcp://')
        ? ' (a Kubernetes service link: set enableServiceLinks: false)'
        : ''
    problems.push(`${source.where} must be a ${setting.kind.description.replaceAll('`', '')}${shown}${link}`)
  }
  return value
}

function defaultValue(setting: Setting<unknown, unknown>, cwd: string): unknown {
  // A default path is relative like a given one.
  if (typeof setting.fallback === 'string') return setting.kind.read(setting.fallback, cwd)
  return setting.fallback
}
