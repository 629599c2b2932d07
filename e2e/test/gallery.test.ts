/** Every page state, light on a desktop and dark on a phone, looked at by a real browser. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { buildSite } from '../../scripts/site/build.ts'
import { siteServer } from '../../scripts/site/serve.ts'
import { languageTable } from '@grantor/protocol/oidc'
import { problems } from '@grantor/server/pages'
import { openChromium } from '../chromium.ts'
import * as consentSamples from '../consent-samples.ts'
import { accounts, type GalleryPage, type ServedGallery, serveGallery } from '../gallery.ts'
import { inspect, picture } from '../inspection.ts'
import { textsIn, untranslated } from '../pseudo-language.ts'
import * as samples from '../samples.ts'

/** Colours do not depend on the width, nor the layout on the colours: two looks at a page see all four. */
const looks = [
  { name: 'light-desktop', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark-phone', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

/** What is wrong with a page: what axe finds, what does not fit, what the browser says in its console. */
async function inspectPage(page: Page, origin: string, name: string): Promise<readonly string[]> {
  const messages: string[] = []
  const record = (message: { text(): string }): void => void messages.push(message.text())
  page.on('console', record)
  await page.goto(`${origin}/${name}`)
  const found: string[] = []
  // One load, two looks: the page turns dark and narrow as it would where somebody turns their phone's night on.
  for (const look of looks) {
    await page.setViewportSize(look.viewport)
    await page.emulateMedia({ colorScheme: look.colorScheme })
    found.push(...(await inspect(page)).map((finding) => `${look.name}: ${finding}`))
    await picture(page, 'gallery', `${name}.${look.name}`)
  }
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

interface Seen {
  readonly texts: readonly string[]
  readonly tooWide: boolean
  readonly direction: string
}

/** Text, since the types of a page are not those of this program. Codes and what is in English on purpose are left out. */
const everyText = `(() => {
  const texts = [document.title]
  const left = 'code, script, noscript, style, [lang=en], .languages li'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement.closest(left) === null && node.data.trim() !== '') texts.push(node.data.trim())
  for (const name of ['aria-label', 'alt', 'placeholder', 'title', 'data-done', 'data-weak', 'data-fair', 'data-strong'])
    for (const it of document.querySelectorAll('[' + name + ']'))
      if (it.getAttribute(name) !== '') texts.push(it.getAttribute(name))
  const { documentElement } = document
  const tooWide = documentElement.scrollWidth > documentElement.clientWidth
  return { texts, tooWide, direction: getComputedStyle(documentElement).direction }
})()`

interface Edge {
  readonly top: number
  readonly bottom: number
}

type Edges = Readonly<Record<'decision' | 'warning', Edge | null>>

/** Of the bar that decides, and of what to beware of. */
const edges = `(() => {
  const edge = (selector) => document.querySelector(selector)?.getBoundingClientRect().toJSON() ?? null
  return { decision: edge('.deciding'), warning: edge('.notice.warning') }
})()`

describe('the pages in Chromium', { concurrency: 2 }, () => {
  let browser: Browser
  let gallery: ServedGallery
  before(async () => {
    ;[browser, gallery] = await Promise.all([openChromium(), serveGallery()])
  })
  after(() => Promise.all([browser.close(), gallery.close()]))

  async function findingsIn(states: Iterable<GalleryPage>): Promise<Record<string, readonly string[]>> {
    // What would fade from light to dark is there at once.
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const [moving, still] = [await context.newPage(), await stillPage(context)]
    const findings: Record<string, readonly string[]> = {}
    for (const { name, leaves } of states) {
      const found = await inspectPage(leaves ? still : moving, gallery.origin, name)
      if (found.length > 0) findings[name] = found
    }
    await context.close()
    return findings
  }

  test('WCAG 2.2 AA: every page state passes axe, keeps its policy and fits the screen, light and dark, wide and narrow', async () => {
    // Two browsers' worth of pages side by side take the next state from one list.
    const states = gallery.states.values()
    const findings = await Promise.all([findingsIn(states), findingsIn(states)])
    assert.deepEqual(Object.assign({}, ...findings), {})
  })

  /** Looks at every state on a phone, and tells what is wrong by the state's name. */
  async function onPhone(states: readonly GalleryPage[], wrongIn: (seen: Seen) => readonly string[]) {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' })
    const [moving, still] = [await context.newPage(), await stillPage(context)]
    const findings: Record<string, readonly string[]> = {}
    for (const { name, leaves } of states) {
      const page = leaves ? still : moving
      await page.goto(`${gallery.origin}/${name}`)
      const found = wrongIn(await page.evaluate<Seen>(everyText))
      if (found.length > 0) findings[name] = found
      await picture(page, 'gallery', `${name.replace('/', '.')}.phone`)
    }
    await context.close()
    return findings
  }

  test('in a language two fifths longer, in brackets, nothing stands outside them and everything fits a phone', async () => {
    const known = textsIn([
      samples,
      consentSamples,
      accounts,
      problems,
      languageTable,
      'Grantor',
      'client_id',
      'redirect_uri',
    ])
    const findings = await onPhone(gallery.pseudo, ({ texts, tooWide }) => [
      ...texts.map((text) => untranslated(text, known)).filter((text) => text !== ''),
      ...(tooWide ? ['scrolls sideways'] : []),
    ])
    assert.deepEqual(findings, {})
  })

  test('from right to left everything fits a phone, and the page says its direction', async () => {
    const findings = await onPhone(gallery.rightToLeft, ({ direction, tooWide }) => [
      ...(direction === 'rtl' ? [] : [direction]),
      ...(tooWide ? ['scrolls sideways'] : []),
    ])
    assert.deepEqual(findings, {})
  })

  test('at 800 px the decision is in view whatever is asked for, and what to beware of is above it', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    const hidden: string[] = []
    for (const { name } of gallery.states.filter((state) => state.name.startsWith('consent')))
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${gallery.origin}/${name}`)
        const { decision, warning } = await page.evaluate<Edges>(edges)
        if (decision === null || decision.bottom > 800) hidden.push(`${name} at ${width}: decision`)
        else if (warning !== null && warning.bottom > decision.top) hidden.push(`${name} at ${width}: warning`)
      }
    await context.close()
    assert.deepEqual(hidden, [])
  })

  test('recovery codes on paper say at which service and for which account they are, and show no button', async () => {
    const page = await browser.newPage()
    await page.goto(`${gallery.origin}/account-recovery-codes`)
    await page.emulateMedia({ media: 'print' })
    const { name, username } = samples.accountFrame().account
    for (const shown of [name, username, 'Grantor']) await page.getByText(shown, { exact: true }).first().waitFor()
    assert.equal(await page.locator('button:visible, a:visible').count(), 0)
    await picture(page, 'gallery', 'account-recovery-codes.print')
    await page.close()
  })

  test('the look itself sees a missing label, a broken policy and a page that is too wide', async () => {
    const context = await browser.newContext()
    const found = await inspectPage(await context.newPage(), gallery.origin, 'defective')
    await context.close()
    const seen = (what: RegExp): boolean => found.some((text) => what.test(text))
    assert.ok(seen(/^dark-phone: label: /), found.join('\n'))
    assert.ok(seen(/^dark-phone: scrolls sideways$/), found.join('\n'))
    assert.ok(seen(/Content Security Policy/), found.join('\n'))
  })

  test('WCAG 2.2 AA: the documentation passes axe and fits the screen, and its search is used by keyboard alone', async (t) => {
    const server = siteServer(buildSite()).listen(0, '127.0.0.1')
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    t.after(async () => {
      await context.close()
      server.close()
    })
    if (!server.listening) await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const page = await context.newPage()
    for (const name of ['index.html', 'promises.html', 'mcp.html'])
      assert.deepEqual(await inspectPage(page, origin, name), [], name)
    await page.keyboard.press('/')
    await page.keyboard.type('refresh rotation')
    const found = await page.locator('#found a[aria-selected=true]').getAttribute('href')
    assert.match(found ?? '', /^[a-z-]+\.html/)
    assert.deepEqual(await inspect(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/${found}`)
  })
})
