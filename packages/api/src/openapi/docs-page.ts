/** The documentation page of an API: built from the OpenAPI document alone, without scripts. */
import { createHash } from 'node:crypto'
import { docsStyle } from './docs-style.ts'

type Fields = Readonly<Record<string, unknown>>

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Fields>>
    /** Answers that several operations refer to. */
    readonly responses?: Readonly<Record<string, Fields>>
  }
}

interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: Fields
  readonly responses: readonly (readonly [status: string, response: Fields])[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** No other origin, script or frame is allowed, so that the content of the document is only ever shown as text. */
export const docsPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** `document`: the OpenAPI document as served; `source`: its path. */
export function docsPage(document: string, source: string): string {
  const { info, paths, components } = JSON.parse(document) as OpenApi
  const operations = operationsOf(paths, components?.responses ?? {})
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))]
  const schemas = Object.entries(components?.schemas ?? {})
  const part = (tag: string): string => {
    const own = operations.filter(({ operation }) => tagOf(operation) === tag)
    return `<section aria-labelledby="tag-${text(tag)}"><h2 id="tag-${text(tag)}">${text(tag)}</h2>${own.map(operationHtml).join('')}</section>`
  }
  const links = [...tags.map((tag) => [`tag-${tag}`, tag]), ...(schemas.length === 0 ? [] : [['schemas', 'Schemas']])]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(info.title)}: documentation</title>
<style>${docsStyle}</style>
</head>
<body>
<header><h1>${text(info.title)}</h1><p>${text(info.description ?? '')}</p>
<p class="fine">Version ${text(info.version)} · <a href="${text(source)}">the OpenAPI document</a></p></header>
<nav aria-label="Contents"><ul>${links.map(([to = '', name = '']) => `<li><a href="#${text(to)}">${text(name)}</a></li>`).join('')}</ul></nav>
<main>
${tags.map(part).join('\n')}
${schemas.length === 0 ? '' : `<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(schemaHtml).join('')}</section>`}
</main>
</body>
</html>
`
}

function operationsOf(paths: OpenApi['paths'], shared: Readonly<Record<string, Fields>>): readonly ShownOperation[] {
  const answer = (given: Fields): Fields => {
    const named = referenceOf(given)
    return named !== null && Object.hasOwn(shared, named) ? (shared[named] ?? given) : given
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (typeof operation !== 'object') return []
      const given = Object.entries(((operation as Fields)['responses'] ?? {}) as Record<string, Fields>)
      const responses = given.map(([status, one]) => [status, answer(one)] as const)
      return [{ method, path, operation: operation as Fields, responses }]
    }),
  )
}

const tagOf = (operation: Fields): string => list(operation['tags'])[0]?.toString() ?? 'Other'

function operationHtml({ method, path, operation, responses }: ShownOperation): string {
  const parameters = list(operation['parameters']) as Fields[]
  const body = contentOf(operation['requestBody'])
  const deprecated = operation['deprecated'] === true ? ' <span class="gone">deprecated</span>' : ''
  return `<details id="${text(word(operation['operationId']))}"><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${text(path)}</code> <span class="about"><span>${text(word(operation['summary']))}</span>${deprecated}</span></summary>
${scopesHtml(operation['security'])}
${parameters.length === 0 ? '' : table('Parameters', ['Name', 'In', 'Type', 'About'], parameters.map(parameterRow))}
${body === null ? '' : `<h3>Body</h3>${fieldsHtml(body)}`}
${table('Answers', ['Status', 'About', 'Body'], responses.map(responseRow))}
</details>`
}

function scopesHtml(security: unknown): string {
  const scopes = list(security).flatMap((one) => Object.values((one ?? {}) as Record<string, unknown>).flatMap(list))
  const names = [...new Set(scopes.map(String))].map((scope) => `<code>${text(scope)}</code>`)
  return names.length === 0 ? '' : `<p>Scope: ${names.join(' or ')}</p>`
}

const parameterRow = (given: Fields): readonly string[] => [
  `<code>${text(nameOf(given))}</code>${given['required'] === true ? ' <strong>required</strong>' : ''}`,
  text(word(given['in'])),
  typeHtml((given['schema'] ?? {}) as Fields),
  prose(word(given['description'])),
]

const responseRow = ([status, response]: readonly [string, Fields]): readonly string[] => {
  const schema = contentOf(response)
  const about = word(response['description']) || nameOf(response)
  return [`<strong>${text(status)}</strong>`, prose(about), schema === null ? '' : typeHtml(schema)]
}

const nameOf = (given: Fields): string => word(given['name']) || (referenceOf(given) ?? '')

/** The schema of the first media type. */
function contentOf(holder: unknown): Fields | null {
  const content = (holder as { readonly content?: Record<string, { readonly schema?: Fields }> } | undefined)?.content
  return Object.values(content ?? {})[0]?.schema ?? null
}

const schemaHtml = ([name, schema]: readonly [string, Fields]): string =>
  `<details id="schema-${text(name)}"><summary><code>${text(name)}</code></summary>${fieldsHtml(schema)}</details>`

/** A table of the members of an object; for any other schema its type. */
function fieldsHtml(schema: Fields): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Fields>)
  if (properties.length === 0) return `<p>${typeHtml(schema)}</p>`
  const required = new Set(list(schema['required']).map(String))
  const rows = properties.map(([name, of]) => [
    `<code>${text(name)}</code>${required.has(name) ? ' <strong>required</strong>' : ''}`,
    typeHtml(of),
    prose([of['description'], of['readOnly'] === true ? 'Read-only.' : null].filter(Boolean).join(' ')),
  ])
  return table(null, ['Member', 'Type', 'About'], rows)
}

const bounds = ['format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default']

function typeHtml(schema: Fields): string {
  const reference = referenceOf(schema)
  if (reference !== null) return `<a href="#schema-${text(reference)}">${text(reference)}</a>`
  const choices = list(schema['anyOf'] ?? schema['oneOf']) as Fields[]
  if (choices.length > 0) return choices.map(typeHtml).join(' or ')
  const type = list(schema['type']).map(String).join(' or ') || (schema['enum'] === undefined ? 'any' : '')
  const items = schema['items'] === undefined ? '' : ` of ${typeHtml(schema['items'] as Fields)}`
  const values = list(schema['enum']).map((value) => `<code>${text(JSON.stringify(value))}</code>`)
  const limits = bounds
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} <code>${text(JSON.stringify(schema[name]))}</code>`)
  const more = [...(values.length === 0 ? [] : [`one of ${values.join(', ')}`]), ...limits]
  return `${text(type)}${items}${more.length === 0 ? '' : ` <span class="fine">${more.join(', ')}</span>`}`
}

const referenceOf = (schema: Fields): string | null =>
  typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? null) : null

function table(title: string | null, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  // A focusable region, so that tables wider than the screen can be scrolled by keyboard.
  return `${title === null ? '' : `<h3>${title}</h3>`}<div class="wide" tabindex="0" role="region" aria-label="${title ?? 'Members'}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '')

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
/** Descriptions mark code as Markdown does. */
const prose = (value: string): string => text(value).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
