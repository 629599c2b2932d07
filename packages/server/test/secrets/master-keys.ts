/** A data folder whose deployment is opened again and again while its master key is replaced. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, type Deployment } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'

const first = 'the-master-key-that-was-in-use-0123456789'
const second = 'the-master-key-that-comes-after-0123456789'

/** Before, while both are known, and after. */
const masterKeys = {
  before: { GRANTOR_MASTER_KEY: first },
  both: { GRANTOR_MASTER_KEY: second, GRANTOR_MASTER_KEY_PREVIOUS: first },
  after: { GRANTOR_MASTER_KEY: second },
} as const

interface ReopenedDeployment extends Disposable {
  readonly folder: string
  within<T>(when: keyof typeof masterKeys, look: (deployment: Deployment) => Promise<T> | T): Promise<T>
}

export function dataFolder(): ReopenedDeployment {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-master-keys-'))
  return {
    folder,
    async within(when, look) {
      const env = { GRANTOR_DATA: folder, ...masterKeys[when] }
      const loaded = loadSettings({ flags: {}, env, cwd: folder })
      assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
      const deployment = await compose(loaded.value.settings, 'server')
      try {
        return await look(deployment)
      } finally {
        await deployment.close()
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
