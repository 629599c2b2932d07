/** Runs all tests: starts a throw-away PostgreSQL, hands its address to node's test runner, stops it again. */
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../e2e/chromium.ts'
import { ensureApache } from '../interop/apache.ts'
import { ensureCertificateProxies } from '../interop/certificate-proxies.ts'
import { ensureEnvoy } from '../interop/envoy.ts'
import { ensureKeycloak } from '../interop/keycloak.ts'
import { ensureProxies } from '../interop/proxies.ts'
import { ensureSchemathesis } from '../interop/schemathesis.ts'
import { ensureFaketime } from '../test/clocks/faketime.ts'
import { bundleCommand } from './bundle/command.ts'
import { startPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')
const everything = [
  'test/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'interop/test/**/*.test.ts',
  'e2e/test/**/*.test.ts',
]

/** `npm test -- packages/store` runs what lies below that path. */
const wanted = process.argv.slice(2)
const files = globSync(everything, { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)))
  .toSorted()

if (files.some((file) => file.startsWith('e2e/') || file.includes('oidc-client-ts'))) ensureChromium()
/** Other people's programs that a test needs; one that cannot be had skips its test and says why. */
const programs = {
  'mod-auth-openidc': ensureApache,
  'interop/test/envoy': ensureEnvoy,
  'gateway-proxies': () => ensureProxies() ?? ensureEnvoy(),
  'interop/test/certificate-proxies': ensureCertificateProxies,
  'interop/test/keycloak': ensureKeycloak,
  'interop/test/schemathesis': ensureSchemathesis,
  'test/clocks/': ensureFaketime,
}
for (const [name, ensure] of Object.entries(programs)) {
  const missing = files.some((file) => file.includes(name)) ? ensure() : null
  if (missing !== null) console.log(`skipped: ${missing}`)
}
const cache = join(root, 'node_modules', '.cache', 'tests')
const folder = inMemory()
if (folder !== null) process.env['TMPDIR'] = folder
const postgres = await startPostgres()
// A file that hangs fails: none takes a tenth of this, also on a busy machine.
const longest = 30 * 60_000
// Three files at a time: two cores are what is promised, and there is always one that waits for something to happen.
let code = 1
try {
  const runner = spawn(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      '--test-concurrency=3',
      `--test-timeout=${longest}`,
      `--import=${join(root, 'scripts/bundle/preload.ts')}`,
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        GRANTOR_TEST_DATABASE_URL: postgres.url,
        GRANTOR_TEST_COMMAND: await bundleCommand(join(cache, 'command')),
        // Hundreds of processes read the same sources; compiled once, they start sooner.
        NODE_COMPILE_CACHE: join(cache, 'compiled'),
      },
    },
  )
  code = await new Promise<number>((resolve) => runner.on('exit', (exited) => resolve(exited ?? 1)))
} finally {
  await postgres.stop()
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
}
// Said outright: the embedded server's own exit hook would otherwise end this process with 0, whatever the tests said.
process.exit(code)

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
