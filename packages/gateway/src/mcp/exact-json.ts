/** JSON whose numbers are written as they were read: not every one of them is a double (RFC 8259 §6). */
import type { Json } from '@grantor/protocol/types'

/** Source text access of ES2026, which the types of ES2024 do not know. */
interface ExactJson {
  parse(text: string, revive: (name: string, value: Json, context: { readonly source?: string }) => Json): Json
  rawJSON(source: string): Json
  isRawJSON(value: Json | undefined): boolean
}
const exact = JSON as unknown as ExactJson

/** JSON.stringify gives back each number as it stood in the text. */
export const parseExactly = (text: string): Json =>
  exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== JSON.stringify(value)
      ? exact.rawJSON(source)
      : value,
  )

/** Such a number is an object to look at. */
export const isExactNumber = (value: Json | undefined): boolean => exact.isRawJSON(value)
