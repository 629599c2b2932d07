/** Where requests of checks go, and what came back in words. */
import type { Json } from '@grantor/protocol/types'
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
