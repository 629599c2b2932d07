/** JSON whose numbers are written exactly as they were read: not each of them fits a double (RFC 8259 §6). */
import type { Json } from '@grantor/protocol/types'

/** JSON.parse source text access of ES2026, which the types of ES2024 lack. */
interface ExactJson {
  parse(text: string, revive: (name: string, value: Json, context: { readonly source?: string }) => Json): Json
  rawJSON(source: string): Json
  isRawJSON(value: Json | undefined): boolean
}
const exact = JSON as unknown as ExactJson

/** JSON.stringify of the result writes each number as in the text. */
export const parseExactly = (text: string): Json =>
  exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== JSON.stringify(value)
      ? exact.rawJSON(source)
      : value,
  )

/** Whether the value is such a number, which looks like an object. */
export const isExactNumber = (value: Json | undefined): boolean => exact.isRawJSON(value)
