/** The body of a page: Markdown to HTML that needs no script and no style of its own. */
import { Marked, type Tokens } from 'marked'
import { highlight } from './highlight.ts'
import { type FindTarget, fileAddress, relativeAddress } from './links.ts'
import type { Page } from './pages.ts'

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Code with its colours; the info string of a fence may name the file that it is: `ts file=examples/app.ts`. */
export function codeBlock(text: string, info: string): string {
  const [word = ''] = info.split(' ', 1)
  const file = /\bfile=(\S+)/.exec(info)?.[1]
  const inner = highlight(text, word) ?? escaped(text)
  const caption = file === undefined ? '' : `<figcaption>${escaped(file)}</figcaption>`
  return `<figure class="code">${caption}<pre><code>${inner}</code></pre></figure>\n`
}

export function renderBody(page: Page, findTarget: FindTarget): string {
  const anchors = page.headings.values()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const anchor = anchors.next().value?.anchor ?? ''
        const text = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${text}</h1>\n`
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section"></a>`
        return `<h${depth} id="${anchor}">${text}${link}</h${depth}>\n`
      },
      code: ({ text, lang }: Tokens.Code): string => codeBlock(text, lang ?? ''),
      // Comments are for whoever edits the page; nothing else of HTML is wanted.
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => (text.startsWith('<!--') ? '' : escaped(text)),
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens)
        const target = findTarget(page, href)
        if (target.kind === 'outside') return `<a href="${escaped(href)}" rel="noreferrer">${text}</a>`
        if (target.kind === 'file') return `<a href="${relativeAddress(page, fileAddress(target.file))}">${text}</a>`
        if (target.kind !== 'page') return text
        const hash = target.hash === '' ? '' : `#${target.hash}`
        return `<a href="${relativeAddress(page, target.page.address)}.html${hash}">${text}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        const target = findTarget(page, href)
        if (target.kind !== 'file') return escaped(text)
        const source = relativeAddress(page, fileAddress(target.file))
        return `<img src="${source}" alt="${escaped(text)}" loading="lazy">`
      },
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const empty = token.header.every((cell) => cell.text === '')
        const head = empty ? '' : `<thead>${row(token.header, 'th')}</thead>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return marked.parser(page.tokens)
}
