/** What is wrong with a page as it stands: what axe finds, and what does not fit the screen. */
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Brought into a page only when it is looked at: parsing it in every page on the way would cost more than the look. */
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Text, since the types of a page are not those of this program. What a frame shows is its site's own. */
const inspection = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  iframes: false,
}).then(({ violations }) => [
  ...violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html)),
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['scrolls sideways'] : []),
])`

export const inspect = (page: Page): Promise<readonly string[]> => page.evaluate<string[]>(`${axe}\n;${inspection}`)

/** Pictures are for people and prove nothing: drawing one takes longer than everything else that is done with a page. */
const drawn = process.env['GRANTOR_TEST_PICTURES'] === 'yes'

/** Draws the whole page into `test-output/` where pictures are wanted. */
export async function picture(page: Page, folder: 'flow' | 'gallery', name: string): Promise<void> {
  if (!drawn) return
  const output = new URL(`../test-output/${folder}/`, import.meta.url)
  mkdirSync(output, { recursive: true })
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, output)), fullPage: true })
}
