/** As much HTML as driving our own pages takes: forms, what a button of them sends, elements by id, and text. */

export interface HtmlForm {
  readonly action: string
  readonly method: string
  /** Fields by name, as they stand in the page. */
  readonly fields: ReadonlyMap<string, string>
  /** Names and values of its buttons; one without a name is ''. */
  readonly buttons: ReadonlyMap<string, string>
}

type Attributes = ReadonlyMap<string, string>

const tag = /<(input|button)\b([^>]*)>/g
const attribute = /([\w-]+)(?:="([^"]*)")?/g

export const formsIn = (page: string): readonly HtmlForm[] =>
  [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => formOf(head, body))

function formOf(head: string, body: string): HtmlForm {
  const own = attributesOf(head)
  const controls = [...body.matchAll(tag)].map(([, kind = '', text = '']) => ({ kind, it: attributesOf(text) }))
  const pairs = (kind: string) =>
    new Map(
      controls
        .filter((control) => control.kind === kind)
        // An unticked box is not sent.
        .filter(({ it }) => it.get('type') !== 'checkbox' || it.has('checked'))
        .map(({ it }) => [it.get('name') ?? '', it.get('value') ?? ''] as const),
    )
  return {
    action: own.get('action') ?? '',
    method: own.get('method') ?? 'get',
    fields: pairs('input'),
    buttons: pairs('button'),
  }
}

const attributesOf = (text: string): Attributes =>
  new Map([...text.matchAll(attribute)].map(([, name = '', value = '']) => [name, decoded(value)]))

/** The text of the element with that id; null where there is none. */
export function textOf(page: string, id: string): string | null {
  const found = new RegExp(`<(\\w+)\\b[^>]*\\bid="${id}"[^>]*>([\\s\\S]*?)</\\1>`).exec(page)
  return found === null ? null : decoded((found[2] ?? '').replaceAll(/<[^>]*>/g, '')).trim()
}

/** The address of the link with that id; null where there is none. */
export function linkOf(page: string, id: string): string | null {
  const link = [...page.matchAll(/<a\b([^>]*)>/g)].map(([, text = '']) => attributesOf(text))
  return link.find((it) => it.get('id') === id)?.get('href') ?? null
}

/** The addresses of its frames. */
export const framesIn = (page: string): readonly string[] =>
  [...page.matchAll(/<iframe\b([^>]*)>/g)].map(([, text = '']) => attributesOf(text).get('src') ?? '')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name = '') =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  )
