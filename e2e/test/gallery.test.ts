/** Every page state, light on a desktop and dark on a phone, looked at by a real browser. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openChromium } from '../chromium.ts'
import { type ServedGallery, serveGallery } from '../gallery.ts'
import { axe, inspect } from '../inspection.ts'

const output = fileURLToPath(new URL('../../test-output/gallery/', import.meta.url))

const viewports = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const
/** Colours do not depend on the width, nor the layout on the colours: two looks at a page see all four. */
const modes = [
  { scheme: 'light', device: 'desktop', name: 'light-desktop' },
  { scheme: 'dark', device: 'phone', name: 'dark-phone' },
] as const

/** What is wrong with a page: what axe finds, what does not fit, what the browser says in its console. */
async function inspectPage(page: Page, address: string): Promise<readonly string[]> {
  const messages: string[] = []
  const record = (message: { text(): string }): void => {
    // axe speaks to frames of another origin, and some builds of Chromium say that nobody listens there.
    if (!message.text().startsWith("Failed to execute 'postMessage'")) messages.push(message.text())
  }
  page.on('console', record)
  await page.goto(address)
  const found = await inspect(page)
  page.off('console', record)
  return [...found, ...messages]
}

/** A page that stays: the scripts that lead on are answered empty; what they do has its own test. */
async function stillPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.route(/\/(?:submit|onward)\.\w+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  return page
}

describe('the pages in Chromium', { concurrency: 2 }, () => {
  let browser: Browser
  let gallery: ServedGallery
  before(async () => {
    mkdirSync(output, { recursive: true })
    ;[browser, gallery] = await Promise.all([openChromium(), serveGallery()])
  })
  after(() => Promise.all([browser.close(), gallery.close()]))

  for (const mode of modes) {
    test(`WCAG 2.2 AA: every page state passes axe, keeps its policy and fits the screen (${mode.name})`, async () => {
      const context = await browser.newContext({ colorScheme: mode.scheme, viewport: viewports[mode.device] })
      await context.addInitScript({ path: axe })
      const [moving, still] = [await context.newPage(), await stillPage(context)]
      const findings: Record<string, readonly string[]> = {}
      for (const state of gallery.states) {
        const page = state.leaves ? still : moving
        const found = await inspectPage(page, `${gallery.origin}/${state.name}`)
        if (found.length > 0) findings[state.name] = found
        await page.screenshot({ path: `${output}${state.name}.${mode.name}.png`, fullPage: true })
      }
      await context.close()
      assert.deepEqual(findings, {})
    })
  }

  test('the look itself sees a missing label, a broken policy and a page that is too wide', async () => {
    const context = await browser.newContext({ viewport: viewports.phone })
    await context.addInitScript({ path: axe })
    const page = await context.newPage()
    const found = await inspectPage(page, `${gallery.origin}/defective`)
    await context.close()
    const seen = (what: RegExp): boolean => found.some((text) => what.test(text))
    assert.ok(seen(/^label: /), found.join('\n'))
    assert.ok(seen(/^scrolls sideways$/), found.join('\n'))
    assert.ok(seen(/Content Security Policy/), found.join('\n'))
  })
})
