/** One node over a folder, as a process begins it. */
import assert from 'node:assert/strict'
import { compose } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import { listen } from '../../src/listen.ts'

export async function startNode(folder: string, env: Readonly<Record<string, string>>) {
  const loaded = loadSettings({ flags: {}, env, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  const deployment = await compose(loaded.value.settings, 'server')
  return { deployment, running: await listen(deployment) }
}
