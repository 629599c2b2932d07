/** The settings as this command line gives them: a flag for each, and the loaded whole or what is wrong with it. */
import { flagOf, loadSettings, type SettingKey, settingKeys, settingsList } from '@grantor/server'
import { failure, type Failure } from './exit.ts'
import type { SettingFlag } from './command-line.ts'
import type { Call } from './command.ts'

/** What opens everything has no flag of its own, only one that names its file. */
export const settingFlags: readonly SettingFlag[] = settingKeys.flatMap((key): readonly SettingFlag[] => {
  const { name, says, secret, flag, fallback, reserved } = settingsList[key]
  if (reserved) return []
  const bare = typeof fallback === 'boolean'
  const own = flag ? [{ key, flag: flagOf(name), says, bare }] : []
  const file = secret
    ? [{ key: `${key}File`, flag: `${flagOf(name)}-file`, says: `a file that holds it: ${says}`, bare: false }]
    : []
  return [...own, ...file]
})

export type Settled = Extract<ReturnType<typeof loadSettings>, { ok: true }>

export function settle({
  flags,
  world,
}: Pick<Call, 'flags' | 'world'>):
  | { readonly ok: true; readonly settled: Settled }
  | { readonly ok: false; readonly failure: Failure } {
  const loaded = loadSettings({ flags, env: world.env, cwd: world.cwd })
  if (loaded.ok) return { ok: true, settled: loaded }
  return {
    ok: false,
    failure: failure('invalid', 'the settings do not hold together', {
      where: loaded.problems,
      fix: '`grantor start --help` lists the settings; `grantor config print --sources` shows the source of each value',
    }),
  }
}

/** Values that may be seen: a secret is only said to be set. */
export function shownValue(key: SettingKey, settings: Settled['settings']): string | null {
  const value = settings[key]
  if (value === null) return null
  const { secret, kind } = settingsList[key]
  return secret ? '(set)' : (kind.show as (value: unknown) => string)(value)
}
