/** What a transmitter answers to whoever polls (RFC 8936 §2.5), and what it is told of tokens that do not serve (RFC 8935 §2.4). */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

export interface PollAnswer {
  /** By the id that each is acknowledged by; what stands there may be anything. */
  readonly sets: readonly (readonly [string, Json])[]
  readonly moreAvailable: boolean
}

/** Of more than were asked for the first ones; null for what is no answer. */
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

/** The code for a check that failed. */
export const setErrorOf = (problem: string): string => codes[problem] ?? 'invalid_request'
