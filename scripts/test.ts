/** Runs all tests: starts a throw-away PostgreSQL, hands its address to node's test runner, stops it again. */
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCertutil } from '../e2e/certutil.ts'
import { ensureChromium } from '../e2e/chromium.ts'
import { ensureApache } from '../interop/apache.ts'
import { ensureCertificateProxies } from '../interop/certificate-proxies.ts'
import { ensureEnvoy } from '../interop/envoy.ts'
import { ensureKeycloak } from '../interop/keycloak.ts'
import { ensurePgBouncer } from '../interop/pgbouncer.ts'
import { ensurePromtool } from '../interop/promtool.ts'
import { ensureProxies } from '../interop/proxies.ts'
import { ensureSchemathesis } from '../interop/schemathesis.ts'
import { ensureFaketime } from '../test/clocks/faketime.ts'
import { bundleCommand } from './bundle/command.ts'
import { startPostgres } from './postgres.ts'
import { divide } from './test-processes/divide.ts'
import { type Outcome, runFiles } from './test-processes/run-files.ts'

const root = join(import.meta.dirname, '..')
// Those that take longest begin first, so that none is left at the end with the others idle.
const everything = [
  'test/**/*.test.ts',
  'e2e/test/**/*.test.ts',
  'interop/test/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
]

/** `npm test -- packages/store` runs what lies below that path. */
const wanted = process.argv.slice(2)
const files = everything
  .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
  .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)))
if (files.length === 0) {
  console.error(`no tests lie below ${wanted.join(' ')}`)
  process.exit(2)
}

if (files.some((file) => file.startsWith('e2e/') || file.includes('oidc-client-ts'))) ensureChromium()
/** Other people's programs that a test needs; one that cannot be had skips its test and says why. */
const programs = {
  'mod-auth-openidc': ensureApache,
  'interop/test/envoy': ensureEnvoy,
  'gateway-proxies': () => ensureProxies() ?? ensureEnvoy(),
  'interop/test/certificate-proxies': ensureCertificateProxies,
  'interop/test/keycloak': ensureKeycloak,
  pgbouncer: ensurePgBouncer,
  'interop/test/promtool': ensurePromtool,
  'interop/test/schemathesis': ensureSchemathesis,
  'test/clocks/': ensureFaketime,
  'test/campaign/': ensureFaketime,
  'cli/test/trust': ensureCertutil,
  'e2e/test/demo': ensureCertutil,
  'e2e/test/newcomer': ensureCertutil,
}
for (const [name, ensure] of Object.entries(programs)) {
  const missing = files.some((file) => file.includes(name)) ? ensure() : null
  if (missing !== null) console.log(`skipped: ${missing}`)
}
const cache = join(root, 'node_modules', '.cache', 'tests')
const folder = inMemory()
if (folder !== null) process.env['TMPDIR'] = folder
const postgres = await startPostgres()
let code = 1
try {
  const environment = {
    ...process.env,
    GRANTOR_TEST_DATABASE_URL: postgres.url,
    GRANTOR_TEST_COMMAND: await bundleCommand(join(cache, 'command')),
    // Hundreds of processes read the same sources; compiled once, they start sooner.
    NODE_COMPILE_CACHE: join(cache, 'compiled'),
  }
  // Three at a time: two cores are what is promised, and there is always one that waits for something to happen.
  const outcome = await runFiles(divide(files), { root, concurrency: 3, environment })
  code = outcome.failed.length === 0 || (await isUnsteady(outcome, environment)) ? 0 : 1
} finally {
  await postgres.stop()
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
}
// Said outright: the embedded server's own exit hook would otherwise end this process with 0, whatever the tests said.
process.exit(code)

/**
 * Of the whole suite a file that failed is run again by itself: green then, it is named as unsteady, which is a defect
 * of the test or of what it tests, and not a reason to hold back everything else. More than a few are a failure.
 */
async function isUnsteady(first: Outcome, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const mostUnsteady = 2
  if (wanted.length > 0 || first.failed.length > mostUnsteady) return false
  const files = first.failed.flat()
  console.log(`failed, and run again alone: ${files.join(', ')}`)
  const again = await runFiles(
    files.map((file) => [file]),
    { root, concurrency: 1, environment },
  )
  const isGreen = again.failed.length === 0
  if (isGreen) for (const file of files) console.log(`unsteady: ${file} failed once, and not when run alone`)
  // Whoever reads the last lines of a run reads of all of it.
  const fail = again.tests - again.passed - again.skipped
  console.log(`ℹ tests ${first.tests}\nℹ pass ${first.tests - first.skipped - fail}\nℹ fail ${fail}`)
  return isGreen
}

/**
 * A folder for databases that lies in memory, where there is room: a killed process loses no more there than on a disk,
 * and thousands of commits wait for none.
 */
function inMemory(): string | null {
  const enough = 4 * 1024 ** 3
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < enough) return null
    const made = mkdtempSync('/dev/shm/grantor-')
    // PostgreSQL enters it as a user of its own.
    chmodSync(made, 0o755)
    return made
  } catch {
    return null
  }
}
