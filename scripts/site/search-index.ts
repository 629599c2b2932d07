/** What the search of the site looks through: the words under each heading. */
import type { Token } from 'marked'
import { type Page, plain } from './pages.ts'

/** Page (its place in `pages`), anchor, heading, words. */
export type SearchSection = readonly [page: number, anchor: string, heading: string, words: string]

export interface SearchIndex {
  readonly pages: readonly { readonly address: string; readonly title: string; readonly group: string }[]
  readonly sections: readonly SearchSection[]
}

export const searchIndex = (pages: readonly Page[]): SearchIndex => ({
  pages: pages.map(({ address, title, group }) => ({ address, title, group })),
  sections: pages.flatMap((page, number) => sectionsOf(page).map((section) => [number, ...section] as const)),
})

function sectionsOf(page: Page): readonly (readonly [string, string, string])[] {
  const headings = page.headings.values()
  const sections: { anchor: string; heading: string; tokens: Token[] }[] = []
  for (const token of page.tokens) {
    if (token.type === 'heading') {
      const heading = headings.next().value
      sections.push({ anchor: heading?.anchor ?? '', heading: heading?.text ?? '', tokens: [] })
    } else sections.at(-1)?.tokens.push(token)
  }
  return sections.map(({ anchor, heading, tokens }, number) => [
    // The first heading is the page itself.
    number === 0 ? '' : anchor,
    heading,
    tokens.map(plain).join(' ').replaceAll(/\s+/g, ' ').trim(),
  ])
}
