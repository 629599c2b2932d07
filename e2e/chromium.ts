/** Finds Chromium for the browser tests, or puts it there, or says the one line that does. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** Debian's package without windows around its pages: it costs a third of the whole browser. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const applicationPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function findChromium(): string | null {
  const named = process.env['GRANTOR_CHROMIUM']
  if (named !== undefined && named !== '') {
    if (!runs(named)) throw new Error(`GRANTOR_CHROMIUM names ${named}, which cannot be run`)
    return named
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin')
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...applicationPaths]
  return candidates.find(runs) ?? null
}

const installLine = `apt-get update && apt-get install -y --no-install-recommends ${shell}`

/** As root, with apt-get; elsewhere nothing happens. */
function installShell(): void {
  if (process.getuid?.() !== 0 || !runs('/usr/bin/apt-get')) return
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('sh', ['-c', installLine], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 10 * 60_000 })
  } catch {
    // What is there already will do, or its absence is told below.
  }
}

/** Puts Chromium there before test files that need it start side by side and would install it over each other. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found !== null && (found.endsWith(shell) || found === process.env['GRANTOR_CHROMIUM'])) return found
  installShell()
  const present = findChromium()
  if (present !== null) return present
  throw new Error(
    `Chromium is needed for the browser tests. Install it (on Debian: ${installLine}) or set GRANTOR_CHROMIUM to its path.`,
  )
}

/** What is there: test files run side by side, and `ensureChromium` was called before them. */
const presentChromium = (): string => findChromium() ?? ensureChromium()

/** Generous: it bounds a test that hangs, it does not measure one that runs. */
const patience = 120_000

/**
 * `rules` are Chromium's host resolver rules, so that tests may speak of hosts that exist nowhere; `home` is the folder
 * of the person who opens it, whose certificates it trusts.
 */
export async function openChromium(rules: readonly string[] = [], home: string | null = null): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: presentChromium(),
    ...(home === null ? {} : { env: { ...process.env, HOME: home, XDG_DATA_HOME: '' } }),
    args: [
      // Tests run as root in containers, where Chromium's own sandbox cannot start.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(', ')}`]),
    ],
    timeout: patience,
  })
  return browser.on('context', (context) => context.setDefaultTimeout(patience))
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
