/** The whole site in memory: every file by its address. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { layoutPage } from './layout.ts'
import { createFindTarget, fileAddress } from './links.ts'
import { readPages, root } from './pages.ts'
import { renderBody } from './render.ts'
import { searchIndex } from './search-index.ts'
import { llmsText, twinOf } from './twins.ts'

export interface Site {
  readonly files: ReadonlyMap<string, string | Buffer>
  /** Links that lead nowhere. */
  readonly problems: readonly string[]
}

export function buildSite(): Site {
  const pages = readPages()
  const findTarget = createFindTarget(pages)
  const problems = new Set<string>()
  const files = new Map<string, string | Buffer>()
  for (const name of ['style.css', 'theme.js', 'site.js'])
    files.set(name, readFileSync(join(import.meta.dirname, 'assets', name), 'utf8'))
  files.set('mark.svg', readFileSync(join(root, 'packages/server/src/pages/assets/mark.svg'), 'utf8'))
  for (const page of pages) {
    const body = renderBody(page, (from, href) => {
      const target = findTarget(from, href)
      if (target.kind === 'missing') problems.add(target.problem)
      if (target.kind === 'file') files.set(fileAddress(target.file), readFileSync(join(root, target.file)))
      return target
    })
    files.set(`${page.address}.html`, layoutPage({ pages, page, body }))
    files.set(`${page.address}.md`, twinOf(page, findTarget))
  }
  files.set('search.json', JSON.stringify(searchIndex(pages)))
  files.set('llms.txt', llmsText(pages))
  return { files, problems: [...problems] }
}
