/** Where the links of a page lead on the site, and which lead nowhere. */
import { statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { aliases } from './navigation.ts'
import { type Page, root } from './pages.ts'

export type Target =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'page'; readonly page: Page; readonly hash: string }
  /** A picture or another file of the repository, which is copied beside the pages. */
  | { readonly kind: 'file'; readonly file: string }
  /** A folder of the repository, which is named and not linked. */
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing'; readonly problem: string }

export type FindTarget = (from: Page, href: string) => Target

/** Where a file of the repository that is no page lies on the site. */
export const fileAddress = (file: string): string =>
  /\.(?:png|svg|webp)$/.test(file) ? `images/${posix.basename(file)}` : `files/${file}`

export function createFindTarget(pages: readonly Page[]): FindTarget {
  const byFile = new Map(pages.map((page) => [page.file, page]))
  return (from, href) => {
    if (/^[a-z]+:/i.test(href)) return { kind: 'outside', href }
    const [path = '', hash = ''] = href.split('#', 2)
    const file = path === '' ? from.file : posix.normalize(posix.join(posix.dirname(from.file), path))
    // A folder is read from its first page.
    const page = byFile.get(aliases[file] ?? file) ?? pages.find((other) => posix.dirname(other.file) === file)
    if (page === undefined) {
      const found = statSync(join(root, file), { throwIfNoEntry: false })
      if (found === undefined) return missing(from, href, 'neither a page nor a file')
      return found.isDirectory() ? { kind: 'folder' } : { kind: 'file', file }
    }
    const known = hash === '' || page.headings.some(({ anchor }) => anchor === hash)
    return known ? { kind: 'page', page, hash } : missing(from, href, 'no such heading')
  }
}

const missing = (from: Page, href: string, why: string): Target => ({
  kind: 'missing',
  problem: `${from.file} links to ${href}: ${why}`,
})

/** From one address of the site to another, neither of which needs to know where the site lies. */
export const relativeAddress = (from: Page, to: string): string =>
  posix.relative(posix.dirname(from.address), to) || posix.basename(to)
