/** Settings of the command line: a flag for each, and the loaded settings or their problems. */
import { flagOf, type LoadedSettings, loadSettings, settingKeys, settingsList } from '@grantor/server'
import type { CommandContext, SettingFlag } from './command.ts'
import { type CommandResult, failure } from './exit.ts'

/** Secrets have no flag for their value, only one for the name of their file. */
export const settingFlags: readonly SettingFlag[] = settingKeys.flatMap((key): readonly SettingFlag[] => {
  const { name, description, secret, flag, fallback } = settingsList[key]
  const isSwitch = typeof fallback === 'boolean'
  const own = flag ? [{ key, flag: flagOf(name), description, isSwitch }] : []
  const inFile = `a file that holds it: ${description}`
  const file = secret ? [{ key: `${key}File`, flag: `${flagOf(name)}-file`, description: inFile, isSwitch: false }] : []
  return [...own, ...file]
})

export function readSettings({
  settingFlags: flags,
  environment: { env, cwd },
}: Pick<CommandContext, 'settingFlags' | 'environment'>): CommandResult<LoadedSettings> {
  const loaded = loadSettings({ flags, env, cwd })
  if (loaded.kind === 'ok') return loaded
  return failure('invalid', 'the settings do not hold together', {
    where: loaded.error,
    fix: '`grantor start --help` lists the settings; `grantor config print --sources` shows the source of each value',
  })
}
