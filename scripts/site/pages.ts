/** The pages of the documentation as they are read: text, tokens, headings, and what each is called. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Token, type TokensList, lexer } from 'marked'
import { addressOf, navigation } from './navigation.ts'

export const root = join(import.meta.dirname, '../..')

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

export interface Page {
  /** In the repository. */
  readonly file: string
  /** On the site, without its ending. */
  readonly address: string
  readonly group: string
  readonly title: string
  /** The first sentence. */
  readonly summary: string
  readonly text: string
  readonly tokens: TokensList
  readonly headings: readonly Heading[]
}

export function readPages(): readonly Page[] {
  const placed = new Set<string>()
  return navigation.flatMap(({ name, files }) => {
    const found = files
      .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
      .filter((file) => !placed.has(file))
    for (const file of found) placed.add(file)
    return found.map((file) => readPage(file, name))
  })
}

function readPage(file: string, group: string): Page {
  const text = readFileSync(join(root, file), 'utf8')
  const tokens = lexer(text)
  const headings = headingsOf(tokens)
  const first = tokens.find((token) => token.type === 'paragraph')
  return {
    file,
    address: addressOf(file),
    group,
    title: headings[0]?.text ?? file,
    summary: firstSentence(first === undefined ? '' : plain(first)),
    text,
    tokens,
    headings,
  }
}

/** Anchors as GitHub makes them, so that a link works there and here. */
function headingsOf(tokens: readonly Token[]): readonly Heading[] {
  const seen = new Map<string, number>()
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return []
    const text = plain(token)
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(slug) ?? 0
    seen.set(slug, before + 1)
    return [{ depth: token['depth'] as number, text, anchor: before === 0 ? slug : `${slug}-${before}` }]
  })
}

/** The words of a token, without its marks. */
export function plain(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'br') return ' '
  if (token.type === 'table') return cellsOf(token).map(plain).join(' ')
  if (token.type === 'list') return (token['items'] as Token[]).map(plain).join(' ')
  const inner = 'tokens' in token ? token.tokens : undefined
  if (inner !== undefined) return inner.map(plain).join(token.type === 'list_item' ? ' ' : '')
  return 'text' in token && typeof token.text === 'string' ? unescaped(token.text) : ''
}

const cellsOf = (table: Token): Token[] => {
  const { header, rows } = table as unknown as { header: { tokens: Token[] }[]; rows: { tokens: Token[] }[][] }
  return [header, ...rows].flat().flatMap((cell) => [...cell.tokens, { type: 'text', raw: ' ', text: ' ' }])
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Without the label that records of decisions begin with. */
const firstSentence = (text: string): string => {
  const bare = text.replace(/^(?:Context|Question|Status|Decided)[.:]\s+/, '')
  return /^.*?[.:?](?=\s|$)/s.exec(bare)?.[0].replace(/:$/, '.') ?? bare
}
