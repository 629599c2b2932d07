/** The alert rules by Prometheus' own judge: they are well formed, fire when a target is missed, and only then. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensurePromtool, promtool } from '../promtool.ts'

const missing = ensurePromtool()
const cwd = join(import.meta.dirname, '../../deploy/prometheus')

for (const [what, words] of [
  ['are well formed', ['check', 'rules', 'alerts.yml']],
  ['fire when a target is missed, and only then', ['test', 'rules', 'alerts.test.yml']],
] as const)
  test(`Prometheus: the alert rules ${what}`, { skip: missing ?? false }, () => {
    execFileSync(promtool, [...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  })
