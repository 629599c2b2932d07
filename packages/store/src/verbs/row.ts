/** Reads columns of a row as typed values. */
import { type Instant, isJsonObject, type JsonObject } from '@grantor/protocol/types'
import { StoreUnreadable } from '../contract/store.ts'
import type { Row } from './verb.ts'

export const text = (row: Row, column: string): string => row[column] as string
export const number = (row: Row, column: string): number => row[column] as number
export const instant = (row: Row, column: string): Instant => row[column] as Instant
export const maybeText = (row: Row, column: string): string | null => row[column] as string | null
export const maybeNumber = (row: Row, column: string): number | null => row[column] as number | null
export const maybeInstant = (row: Row, column: string): Instant | null => row[column] as Instant | null
export function json(row: Row, column: string): JsonObject {
  const value = parsed(row, column)
  if (!isJsonObject(value)) throw unreadable(row, column)
  return value
}
export function list(row: Row, column: string): readonly string[] {
  const value = parsed(row, column)
  if (!Array.isArray(value)) throw unreadable(row, column)
  return value as readonly string[]
}
export function objects(row: Row, column: string): readonly JsonObject[] {
  const value = parsed(row, column)
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw unreadable(row, column)
  return value
}
export function parsed(row: Row, column: string): unknown {
  try {
    return JSON.parse(text(row, column))
  } catch {
    throw unreadable(row, column)
  }
}
/** Names the row by its key columns, as far as they were read; reveals no content. */
function unreadable(row: Row, column: string): StoreUnreadable {
  const names = ['tenant', 'id', 'kid', 'seq', 'pos'].filter((name) => row[name] != null)
  const which = names.map((name) => `${name} ${String(row[name])}`).join(', ')
  return new StoreUnreadable(`the column ${column} of a row cannot be read (${which})`)
}
export const maybeJson = (row: Row, column: string): JsonObject | null =>
  row[column] === null ? null : json(row, column)
/** A plain copy, whatever kind of byte array the driver returned. */
export const bytes = (row: Row, column: string): Uint8Array => Uint8Array.from(row[column] as Uint8Array)
export const maybeBytes = (row: Row, column: string): Uint8Array | null =>
  row[column] === null ? null : bytes(row, column)
export const words = (row: Row, column: string): ReadonlySet<string> =>
  new Set(text(row, column).split(' ').filter(Boolean))

export const asText = (value: unknown): string => JSON.stringify(value)
export const asMaybeText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
export const asWords = (scope: ReadonlySet<string>): string => [...scope].join(' ')

/** From a row that was joined with the cutoffs of its tokens; absent where there are none. */
export const deadUpTo = (row: Row): { readonly tokensDeadUpTo?: Instant } =>
  row['dead_up_to'] == null ? {} : { tokensDeadUpTo: instant(row, 'dead_up_to') }
