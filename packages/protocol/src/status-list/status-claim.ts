/** The `status` claim: the status list and index of a token (draft-ietf-oauth-status-list §6.1, §6.2). */
import { isJsonObject, type JsonObject } from '../types.ts'

/** An entry in a status list. */
export interface StatusReference {
  readonly uri: string
  readonly idx: number
}

/** Longer addresses are refused. */
const longestUri = 2048

export const statusClaim = ({ uri, idx }: StatusReference): JsonObject => ({ status_list: { idx, uri } })

/** Null where a token has no reference, or an unreadable one: either way no list has its status. */
export function statusReference({ status }: JsonObject): StatusReference | null {
  const list = isJsonObject(status) ? status['status_list'] : undefined
  if (!isJsonObject(list)) return null
  const { uri, idx } = list
  if (typeof uri !== 'string' || uri === '' || uri.length > longestUri) return null
  return Number.isSafeInteger(idx) && (idx as number) >= 0 ? { uri, idx: idx as number } : null
}
