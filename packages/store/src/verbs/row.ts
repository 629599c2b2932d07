/** Reads columns of a row as what they are. */
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Row } from './verb.ts'

export const text = (row: Row, column: string): string => row[column] as string
export const number = (row: Row, column: string): number => row[column] as number
export const instant = (row: Row, column: string): Instant => row[column] as Instant
export const maybeText = (row: Row, column: string): string | null => row[column] as string | null
export const maybeNumber = (row: Row, column: string): number | null => row[column] as number | null
export const maybeInstant = (row: Row, column: string): Instant | null => row[column] as Instant | null
export const json = (row: Row, column: string): JsonObject => JSON.parse(text(row, column)) as JsonObject
export const list = (row: Row, column: string): readonly string[] => JSON.parse(text(row, column)) as readonly string[]
export const maybeJson = (row: Row, column: string): JsonObject | null =>
  row[column] === null ? null : json(row, column)
/** A plain copy, whatever kind of byte array the driver gave. */
export const bytes = (row: Row, column: string): Uint8Array => Uint8Array.from(row[column] as Uint8Array)
export const words = (row: Row, column: string): ReadonlySet<string> =>
  new Set(text(row, column).split(' ').filter(Boolean))

export const asText = (value: unknown): string => JSON.stringify(value)
export const asMaybeText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
export const asWords = (scope: ReadonlySet<string>): string => [...scope].join(' ')

/** Of a row that was read together with the cutoffs that hit what is issued for it; absent where there are none. */
export const deadUpTo = (row: Row): { readonly tokensDeadUpTo?: Instant } =>
  row['dead_up_to'] == null ? {} : { tokensDeadUpTo: instant(row, 'dead_up_to') }
