/** Where requests of checks go, and what came back in words. */
import type { Json } from '@grantor/protocol/types'
import type { CheckContext } from './check.ts'
import type { Answer } from './exchange.ts'
import { type ApiModel, isObject } from './model.ts'

export const listTarget = ({ list }: ApiModel): string | null => list?.template ?? null

export const itemTarget = ({ item }: ApiModel, id: string): string | null =>
  item === null ? null : item.template.replace(/\{[^}]*\}$/, encodeURIComponent(id))

/** Beside the list, where nothing is. */
export const absentTarget = ({ list }: ApiModel): string =>
  `${list?.template.replace(/[^/]*\/?$/, '') ?? '/'}grantor-api-check-nothing`

export const seen = ({ status, failure }: Answer): string => (failure === null ? `answers ${status}` : failure)

/** Undefined for what is no JSON. */
export function jsonOf({ body }: Answer): Json | undefined {
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}

/** The entries of a page, whatever the list is called in it. */
export function entriesOf(page: Json | undefined): readonly Json[] | null {
  if (Array.isArray(page)) return page as readonly Json[]
  if (!isObject(page)) return null
  const named = ['items', 'data', 'results', 'value'].map((name) => page[name]).find((it) => Array.isArray(it))
  const any = named ?? Object.values(page).find((it) => Array.isArray(it))
  return any === undefined ? null : (any as readonly Json[])
}

/** The name of an entry, by the parameter of the item's path or the usual ones. */
export function idOf(entry: Json | undefined, { item }: ApiModel): string | null {
  if (!isObject(entry)) return null
  const parameter = /\{([^}]*)\}$/.exec(item?.template ?? '')?.[1] ?? 'id'
  const value = entry[parameter] ?? entry['id'] ?? entry['uuid']
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** RFC 9110 §15.3: any other answer may be of something that was there before, which is nobody's to change or delete. */
export const isMade = ({ status }: Answer): boolean => status === 201 || status === 202

/** Where what a create answers with is, by its id or else by its Location; null where there is nothing. */
export function madeTarget(answer: Answer, { api, origin }: Pick<CheckContext, 'api' | 'origin'>): string | null {
  if (answer.status < 200 || answer.status >= 300) return null
  const id = idOf(jsonOf(answer), api)
  return id === null ? locationBelow(answer, { api, origin }) : itemTarget(api, id)
}

/** RFC 9110 §10.2.2: relative to what was asked for. Of this API, and below its list: what lies elsewhere is not ours. */
function locationBelow({ headers }: Answer, { api, origin }: Pick<CheckContext, 'api' | 'origin'>): string | null {
  const list = `${api.create?.template.replace(/\/$/, '') ?? ''}/`
  const url = URL.parse(headers.get('location') ?? '', origin + list.slice(0, -1))
  const isItem = url !== null && url.origin === origin && url.pathname.startsWith(list) && url.pathname !== list
  return isItem ? url.pathname : null
}
