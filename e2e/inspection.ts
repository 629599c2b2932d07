/** What is wrong with a page as it stands: what axe finds, and what does not fit the screen. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** To be added to a context's init scripts. */
export const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/** Text, since the types of a page are not those of this program. */
const inspection = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}).then(({ violations }) => [
  ...violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html)),
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['scrolls sideways'] : []),
])`

export const inspect = (page: Page): Promise<readonly string[]> => page.evaluate<string[]>(inspection)
