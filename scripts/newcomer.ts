/** `npm run newcomer`: a fresh clone of what is committed here, the two commands of the README, the printed lines; and the seconds of each. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureCertutil } from '../e2e/certutil.ts'
import { ensureChromium } from '../e2e/chromium.ts'
import { homeIn, newcomerEnvironment, playNewcomer, shell, stepsText, type TimedStep } from '../e2e/newcomer.ts'

const missing = ensureCertutil()
if (missing !== null) throw new Error(missing)
ensureChromium()
const folder = mkdtempSync(join(tmpdir(), 'grantor-newcomer-'))
try {
  const [here, home] = [join(import.meta.dirname, '..'), homeIn(folder)]
  // What npm has in store already is used: a newcomer's network is not what is measured.
  const cache = process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? '', '.npm')
  const env = { ...newcomerEnvironment(home), npm_config_cache: cache, npm_config_prefer_offline: 'true' }
  const project = join(folder, 'grantor')
  const plan = { project, home, env }
  const steps: TimedStep[] = []
  const timed = async (step: string, line: string, at = plan): Promise<string> => {
    const begun = performance.now()
    const said = await shell(line, at)
    steps.push({ step, seconds: (performance.now() - begun) / 1000 })
    return said
  }
  await timed('git clone', `git clone -q '${here}' '${project}'`, { ...plan, project: folder })
  const installed = await timed('npm ci', 'npm ci')
  assert.doesNotMatch(installed, /warn|EBADENGINE/i, 'nothing frightens on an older Node')
  steps.push(...(await playNewcomer(plan)))
  process.stdout.write(
    stepsText([...steps, { step: 'in all', seconds: steps.reduce((sum, it) => sum + it.seconds, 0) }]),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
