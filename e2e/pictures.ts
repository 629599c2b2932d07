/** Draws the hosted pages that the documentation shows: `node e2e/pictures.ts` writes them into docs/images. */
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { type ServedGallery, serveGallery } from './gallery.ts'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly viewport: { readonly width: number; readonly height: number }
}

interface Sheet extends Look {
  readonly columns: number
  /** How wide a page is drawn on it. */
  readonly cell: number
  readonly states: readonly string[]
}

const desktop: Sheet = {
  colorScheme: 'light',
  viewport: { width: 1280, height: 800 },
  columns: 3,
  cell: 480,
  states: ['login-providers', 'consent-logo', 'consent-device', 'login-themed', 'account-apps', 'account-methods'],
}

const phone: Sheet = {
  colorScheme: 'dark',
  viewport: { width: 390, height: 800 },
  columns: 6,
  cell: 240,
  states: ['login', 'second-factor', 'consent', 'device-approved', 'account-sessions', 'account-activity'],
}

async function pagesOf(browser: Browser, gallery: ServedGallery, look: Look, states: readonly string[]) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const drawn: Buffer[] = []
  for (const name of states) {
    await page.goto(`${gallery.origin}/${name}`)
    drawn.push(await page.screenshot())
  }
  await context.close()
  return drawn
}

async function drawSheet(browser: Browser, gallery: ServedGallery, sheet: Sheet, file: string): Promise<void> {
  const drawn = await pagesOf(browser, gallery, sheet, sheet.states)
  const width = sheet.columns * (sheet.cell + 16) + 16
  const page = await browser.newPage({ viewport: { width, height: 100 } })
  const cells = drawn.map((it) => `<img src="data:image/png;base64,${it.toString('base64')}" alt="">`).join('')
  await page.setContent(`<style>
    body { margin: 0; padding: 16px; display: grid; gap: 16px; background: #cfd6d2;
      grid-template-columns: repeat(${sheet.columns}, ${sheet.cell}px) }
    img { width: 100%; display: block; border-radius: 8px }
  </style>${cells}`)
  await page.screenshot({ path: `${images}${file}`, fullPage: true })
  await page.close()
}

const [browser, gallery] = await Promise.all([openChromium(), serveGallery()])
await drawSheet(browser, gallery, desktop, 'pages.png')
await drawSheet(browser, gallery, phone, 'pages-phone.png')
const context = await browser.newContext({ ...desktop, reducedMotion: 'reduce' })
const page = await context.newPage()
await page.goto(`${gallery.origin}/consent`)
await page.screenshot({ path: `${images}consent.png` })
await Promise.all([browser.close(), gallery.close()])
