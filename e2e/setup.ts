/** A browser and a deployment for the tests of one description, and for as long as those of its file last. */
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { deploy, type Deployment } from './deployment.ts'

export interface Setup {
  readonly browser: Browser
  readonly deployment: Deployment
}

// Of the file, not of the description: one of which a name pattern leaves no test runs its body, but not its hooks.
const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

/**
 * Called within a description; what could be opened is closed even where the rest could not. `beside` is what the deployment
 * needs, and is closed after it.
 */
export async function setUp(
  env: Readonly<Record<string, string>> = {},
  beside: AsyncDisposable | null = null,
): Promise<Setup> {
  const stack = opened.use(new AsyncDisposableStack())
  stack.use(beside)
  const opening = openChromium(['MAP *.test 127.0.0.1'])
  stack.defer(async () => (await opening).close())
  const deployment = stack.use(await deploy(env))
  const browser = await opening
  return { browser, deployment }
}
