/** A person at a browser: one context of a real Chromium, with eyes (axe, screenshots, the console). */
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Arrival, Callback, Deployment, Account } from './deployment.ts'
import { inspect, picture } from './inspection.ts'

/** The server's certificate comes from its local CA, which no browser knows. */
const defaults: BrowserContextOptions = {
  ignoreHTTPSErrors: true,
  locale: 'en',
  viewport: { width: 1100, height: 900 },
  // What fades is measured as it looks half-way.
  reducedMotion: 'reduce',
}

/** Lines of the browser about a status of 400 or more, and about whoever types before the page has put them into its field. */
const isNoFault = /^Failed to load resource|^Autofocus processing was blocked/

export interface Person extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Everything the console said: policies that were broken, scripts that failed. */
  readonly consoleMessages: readonly string[]
  /** Fills in the login form and sends it. */
  signIn(who: Account, password?: string): Promise<void>
  press(button: string): Promise<void>
  /** Holds the page against axe and the console, and keeps its picture where one is wanted. */
  checkPage(name: string): Promise<void>
  /** Waits until the browser stands at the client, and tells what the client was sent. */
  arrivalAt(client: Callback, state: string): Promise<Arrival>
}

export async function openPerson(browser: Browser, how: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext({ ...defaults, ...how })
  const scripted = how.javaScriptEnabled !== false
  const page = await context.newPage()
  const consoleMessages: string[] = []
  page.on('console', (message) => {
    if (!isNoFault.test(message.text())) consoleMessages.push(message.text())
  })
  return {
    page,
    context,
    consoleMessages,
    async signIn({ username, password }, typed = password) {
      await page.fill('#username', username)
      await page.fill('#password', typed)
      await page.click('#sign-in')
    },
    press: (button) => page.click(`#${button}`),
    async checkPage(name) {
      if (scripted) assert.deepEqual(await inspectAtRest(page), [], name)
      assert.deepEqual(consoleMessages, [], name)
      await picture(page, 'flow', name)
    },
    async arrivalAt(client, state) {
      await page.waitForURL((url) => url.origin === client.origin)
      const found = client.arrivals.findLast((it) => it.parameters['state'] === state)
      assert.ok(found, `nothing with state ${state} arrived`)
      return found
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** What is still on its way to its place lies over something else for a moment; what is wrong stays wrong. */
async function inspectAtRest(page: Page): Promise<readonly string[]> {
  let found = await inspect(page)
  for (let again = 0; found.length > 0 && again < 5; again++) found = await inspect(page)
  return found
}

/** Signs a new person in by way of the account page. */
export async function signedIn(browser: Browser, { issuer, somebody }: Deployment): Promise<Person & { who: Account }> {
  const person = await openPerson(browser)
  const who = somebody()
  await person.page.goto(`${issuer}/account`)
  await person.signIn(who)
  await person.page.waitForURL(`${issuer}/account`)
  return Object.assign(person, { who })
}
