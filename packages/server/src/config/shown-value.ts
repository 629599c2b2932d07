/** The value of a setting for display: of a secret only that it is set. */
import { type SettingKey, type Settings, settingsList } from './settings.ts'

export function shownValue(key: SettingKey, settings: Settings): string | null {
  const value = settings[key]
  if (value === null) return null
  const { secret, kind } = settingsList[key]
  return secret ? '(set)' : (kind.show as (value: unknown) => string)(value)
}
