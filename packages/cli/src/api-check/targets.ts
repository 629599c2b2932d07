/** The targets of the checks' requests, and answers in words. */
import type { Json } from '@grantor/protocol/types'
import type { CheckContext } from './check.ts'
import type { Answer } from './exchange.ts'
import { type ApiModel, isObject } from './model.ts'

export const listTarget = ({ list }: ApiModel): string | null => list?.template ?? null

export const itemTarget = ({ item }: ApiModel, id: string): string | null =>
  item === null ? null : item.template.replace(/\{[^}]*\}$/, encodeURIComponent(id))

/** A path next to the list where nothing exists. */
export const absentTarget = ({ list }: ApiModel): string =>
  `${list?.template.replace(/[^/]*\/?$/, '') ?? '/'}grantor-api-check-nothing`

export const seen = ({ status, failure }: Answer): string => (failure === null ? `answers ${status}` : failure)

/** Undefined for a body that is not JSON. */
export function jsonOf({ body }: Answer): Json | undefined {
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}

/** The entries of a page, whatever the name of their member. */
export function entriesOf(page: Json | undefined): readonly Json[] | null {
  if (Array.isArray(page)) return page as readonly Json[]
  if (!isObject(page)) return null
  const named = ['items', 'data', 'results', 'value'].map((name) => page[name]).find((it) => Array.isArray(it))
  const any = named ?? Object.values(page).find((it) => Array.isArray(it))
  return any === undefined ? null : (any as readonly Json[])
}

/** The id of an entry, by the parameter of the item's path or a usual name. */
export function idOf(entry: Json | undefined, { item }: ApiModel): string | null {
  if (!isObject(entry)) return null
  const parameter = /\{([^}]*)\}$/.exec(item?.template ?? '')?.[1] ?? 'id'
  const value = entry[parameter] ?? entry['id'] ?? entry['uuid']
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** RFC 9110 §15.3: any other answer may be about an existing resource, which must not be changed or deleted. */
export const isMade = ({ status }: Answer): boolean => status === 201 || status === 202

/** The path of a created resource, by its id or its Location; null where there is none. */
export function madeTarget(answer: Answer, { api, origin }: Pick<CheckContext, 'api' | 'origin'>): string | null {
  if (answer.status < 200 || answer.status >= 300) return null
  const id = idOf(jsonOf(answer), api)
  return id === null ? locationBelow(answer, { api, origin }) : itemTarget(api, id)
}

/** RFC 9110 §10.2.2: Location may be relative to the request. Only paths of this API below its list are accepted. */
function locationBelow({ headers }: Answer, { api, origin }: Pick<CheckContext, 'api' | 'origin'>): string | null {
  const list = `${api.create?.template.replace(/\/$/, '') ?? ''}/`
  const url = URL.parse(headers.get('location') ?? '', origin + list.slice(0, -1))
  const isItem = url !== null && url.origin === origin && url.pathname.startsWith(list) && url.pathname !== list
  return isItem ? url.pathname : null
}
