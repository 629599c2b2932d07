/** Settings where nothing is given. */
import assert from 'node:assert/strict'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'

export const defaults = (): Settings => {
  const loaded = loadSettings({ flags: {}, env: {}, cwd: '/nowhere' })
  assert.ok(loaded.kind === 'ok')
  return loaded.value.settings
}
