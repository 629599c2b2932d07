/** Where the links of a page lead on the site, and which lead nowhere. */
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { join } from 'node:path'
import { aliases } from './navigation.ts'
import { type Page, root } from './pages.ts'

export type Target =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'page'; readonly page: Page; readonly hash: string }
  /** A picture, which is copied beside the pages. */
  | { readonly kind: 'picture'; readonly file: string }
  | { readonly kind: 'missing'; readonly problem: string }

export type FindTarget = (from: Page, href: string) => Target

/** Where the pictures of the repository lie on the site. */
export const pictureAddress = (file: string): string => `images/${posix.basename(file)}`

export function createFindTarget(pages: readonly Page[]): FindTarget {
  const byFile = new Map(pages.map((page) => [page.file, page]))
  return (from, href) => {
    if (/^[a-z]+:/i.test(href)) return { kind: 'outside', href }
    const [path = '', hash = ''] = href.split('#', 2)
    const file = path === '' ? from.file : posix.normalize(posix.join(posix.dirname(from.file), path))
    if (/\.(?:png|svg|webp)$/.test(file))
      return existsSync(join(root, file)) ? { kind: 'picture', file } : missing(from, href, 'no such picture')
    // A folder is read from its first page.
    const page = byFile.get(aliases[file] ?? file) ?? pages.find((other) => posix.dirname(other.file) === file)
    if (page === undefined) return missing(from, href, 'no page of the site')
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
