/** The request and acknowledgements of a polling receiver: RFC 8936 §2.4. */
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json } from '../types.ts'

export const pollBounds = Object.freeze({ sets: 100, acks: 1000 })

export interface PollRequest {
  readonly maxEvents: number
  readonly returnImmediately: boolean
  /** Ids of received SETs. */
  readonly ack: readonly string[]
  /** Ids of refused SETs, with the errors. */
  readonly setErrs: readonly { readonly id: string; readonly error: string }[]
}

export function readPoll(body: Json): Result<PollRequest, string> {
  if (!isJsonObject(body)) return err('The body is an object.')
  const { maxEvents = pollBounds.sets, returnImmediately = false, ack = [], setErrs = {} } = body
  if (typeof maxEvents !== 'number' || !Number.isSafeInteger(maxEvents) || maxEvents < 0)
    return err('maxEvents is a whole number.')
  if (typeof returnImmediately !== 'boolean') return err('returnImmediately is true or false.')
  if (!Array.isArray(ack) || ack.length > pollBounds.acks || !ack.every((it) => typeof it === 'string'))
    return err(`ack is a list of up to ${pollBounds.acks} ids.`)
  if (!isJsonObject(setErrs) || Object.keys(setErrs).length > pollBounds.acks)
    return err(`setErrs is an object of up to ${pollBounds.acks} members.`)
  return ok({
    maxEvents: Math.min(maxEvents, pollBounds.sets),
    returnImmediately,
    ack: [...new Set(ack as readonly string[])],
    setErrs: Object.entries(setErrs).map(([id, it]) => ({ id, error: errorIn(it) })),
  })
}

/** Only the code: the description is the receiver's own text. */
const errorIn = (it: Json): string => {
  const code = isJsonObject(it) ? it['err'] : undefined
  return typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? code : 'receiver_error'
}
