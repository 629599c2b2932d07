/** The transmitter's answer to a poll (RFC 8936 §2.5), and the error codes for refused tokens (RFC 8935 §2.4). */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

export interface PollAnswer {
  /** By the id for acknowledgement; the values are not validated. */
  readonly sets: readonly (readonly [string, Json])[]
  readonly moreAvailable: boolean
}

/** If it has more than requested, only the first ones; null for an invalid answer. */
export function readPollAnswer(body: JsonObject | null, most: number): PollAnswer | null {
  const { sets, moreAvailable = false } = body ?? {}
  if (!isJsonObject(sets) || typeof moreAvailable !== 'boolean') return null
  const all = Object.entries(sets)
  return { sets: all.slice(0, most), moreAvailable: moreAvailable || all.length > most }
}

const codes: Readonly<Record<string, string>> = {
  token_iss: 'invalid_issuer',
  token_aud: 'invalid_audience',
  token_azp: 'invalid_audience',
  token_signature: 'invalid_key',
}

/** The error code of a failed check. */
export const setErrorOf = (problem: string): string => codes[problem] ?? 'invalid_request'
