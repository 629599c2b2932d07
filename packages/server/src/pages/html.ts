/** Markup as a value: a tagged template that escapes all values by default. */

/** Finished markup. The class stays in this file, so a string or an object literal can never pass for it. */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }
}

export type Html = Markup

/** The values of a template: absent ones are left out, lists are joined, text is escaped. */
export type Renderable = Html | string | number | null | undefined | false | readonly Renderable[]

type Place = 'text' | 'url'

/** The context of each placeholder of a template, computed once per template and not once per page. */
const places = new WeakMap<TemplateStringsArray, readonly Place[]>()

export function html(strings: TemplateStringsArray, ...values: readonly Renderable[]): Html {
  const where = places.get(strings) ?? survey(strings)
  let out = strings[0] ?? ''
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    out += (where[i] === 'url' && typeof value === 'string' ? escape(harmless(value)) : render(value)) + strings[i + 1]
  }
  return new Markup(out)
}

/** Takes text as markup without escaping. Never pass anything that came from outside. */
export const dangerouslyTrustedMarkup = (text: string): Html => new Markup(text)

export const nothing: Html = new Markup('')

function render(value: Renderable): string {
  if (typeof value === 'string') return escape(value)
  if (value instanceof Markup) return value.text
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined || value === false) return ''
  let out = ''
  for (const part of value) out += render(part)
  return out
}

const special = /[&<>"'`]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** One form of escaping for text and for quoted attributes: the union of what both need. */
function escape(text: string): string {
  return text.search(special) === -1 ? text : text.replace(special, (c) => entities[c] ?? '')
}

/** Schemes that run code or contain a document. The policy of csp.ts blocks them, too; this is a second defence. */
const scripting = /^(?:javascript|data|vbscript|blob|file|filesystem):/i

function harmless(url: string): string {
  // Browsers skip controls and white space inside a scheme: "java\nscript:" is one.
  // oxlint-disable-next-line no-control-regex -- exactly these characters are meant
  return scripting.test(url.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')) ? 'about:invalid' : url
}

/** An unquoted attribute cannot be escaped, so a template that has one throws at its first use. */
function survey(strings: TemplateStringsArray): readonly Place[] {
  const found = strings.slice(0, -1).map((before): Place => {
    if (/=\s*$/.test(before)) throw new Error(`unquoted attribute in a template: …${before.slice(-40)}`)
    return /\b(?:href|src|action|formaction)="$/.test(before) ? 'url' : 'text'
  })
  places.set(strings, found)
  return found
}
