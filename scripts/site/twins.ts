/** The pages for programs: the Markdown behind every page, and the list of them, as llmstxt.org describes it. */
import { type FindTarget, fileAddress, relativeAddress } from './links.ts'
import { navigation } from './navigation.ts'
import type { Page } from './pages.ts'

/** The text of a page with its links led to the other twins; code is left as it is. */
export function twinOf(page: Page, findTarget: FindTarget): string {
  const parts = page.text.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
  return parts
    .map((part, number) => {
      if (number % 2 === 1) return part
      return part.replaceAll(/\]\(([^)\s]+)\)/g, (whole, href: string) => {
        const target = findTarget(page, href)
        if (target.kind === 'file') return `](${relativeAddress(page, fileAddress(target.file))})`
        if (target.kind === 'folder') return ']'
        if (target.kind !== 'page' || href.startsWith('#')) return whole
        const hash = target.hash === '' ? '' : `#${target.hash}`
        return `](${relativeAddress(page, target.page.address)}.md${hash})`
      })
    })
    .join('')
}

export function llmsText(pages: readonly Page[]): string {
  const first = pages.find(({ address }) => address === 'index')
  const groups = navigation.flatMap(({ name, folded }) => {
    const items = pages
      .filter(({ group }) => group === name)
      .map(({ title, address, summary }) => `- [${title}](${address}.md): ${summary}`)
    return items.length === 0 ? [] : [`## ${folded === true ? 'Optional' : name}`, '', ...items, ''].join('\n')
  })
  return `# Grantor\n\n> ${first?.summary ?? ''}\n\n${groups.join('\n')}`
}
