/** A stream as its receiver configures it: SSF 1.0 §8.1.1. */
import type { Served } from '../documents/capabilities.ts'
import { displayTextProblem } from '../oauth/display-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { outboundUrl } from '../registration/field-types.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { ssfEndpoints } from './configuration.ts'
import { deliveryMethod, signalsSupported } from './event-types.ts'

export const mostStreamsOfClient = 5
export const mostStreamsOfTenant = 200
export const mostSubjectsOfStream = 100_000
const mostEventTypes = 50

export interface StreamSettings {
  readonly clientId: string
  readonly method: 'push' | 'poll'
  /** Null for polling, whose address is ours. */
  readonly url: string | null
  readonly requested: readonly string[]
  readonly delivered: readonly string[]
  readonly description: string | null
  /** An administrator paused or disabled the stream, and only they can enable it again. */
  readonly held: boolean
}

/** The settings in a request; undefined if omitted. */
export interface StreamInput {
  readonly delivery: Pick<StreamSettings, 'method' | 'url'> | undefined
  /** The `Authorization` header for pushed events; undefined if none was sent. */
  readonly authorization: string | undefined
  readonly requested: readonly string[] | undefined
  readonly description: string | null | undefined
}

const pushUrl = outboundUrl('443')

export function readStream(body: Json, served: Served): Result<StreamInput, string> {
  if (!isJsonObject(body)) return err('The body is an object.')
  const delivery = body['delivery'] === undefined ? undefined : readDelivery(body['delivery'], served)
  if (typeof delivery === 'string') return err(delivery)
  const { events_requested: requested, description } = body
  if (requested !== undefined && !isTypeList(requested))
    return err(`events_requested is a list of up to ${mostEventTypes} addresses of event types.`)
  const problem = description === undefined || description === null ? null : displayTextProblem(description, 500)
  if (problem !== null) return err(`description ${problem}.`)
  return ok({
    delivery: delivery && { method: delivery.method, url: delivery.url },
    authorization: delivery?.authorization,
    requested: requested as readonly string[] | undefined,
    description: description as string | null | undefined,
  })
}

const isTypeList = (value: Json): boolean =>
  Array.isArray(value) &&
  value.length <= mostEventTypes &&
  value.every((it) => typeof it === 'string' && it.length <= textLimits.uri)

function readDelivery(
  value: Json,
  served: Served,
): (Pick<StreamSettings, 'method' | 'url'> & { readonly authorization: string | undefined }) | string {
  const { method, endpoint_url: url, authorization_header: authorization } = isJsonObject(value) ? value : {}
  if (method === deliveryMethod.poll) return { method: 'poll', url: null, authorization: undefined }
  if (method !== deliveryMethod.push) return `delivery.method is ${deliveryMethod.push} or ${deliveryMethod.poll}.`
  if (typeof url !== 'string' || url.length > textLimits.uri) return 'delivery.endpoint_url is an https address.'
  const problem = pushUrl.check(url, served)
  if (problem !== null) return `delivery.endpoint_url ${problem}.`
  if (authorization === undefined || authorization === null) return { method: 'push', url, authorization: undefined }
  return isHeaderValue(authorization)
    ? { method: 'push', url, authorization }
    : 'delivery.authorization_header is the value of a header.'
}

/** Refuses values that could end the header and begin another. */
export const isHeaderValue = (value: Json): value is string =>
  typeof value === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(value)

/** §8.1.1: the requested types that are supported. */
export const deliveredOf = (requested: readonly string[]): readonly string[] =>
  signalsSupported.filter((type) => requested.includes(type))

export const streamDocument = (
  id: string,
  { clientId, method, url, requested, delivered, description }: StreamSettings,
  issuer: string,
): JsonObject => ({
  stream_id: id,
  iss: issuer,
  aud: clientId,
  delivery:
    method === 'push'
      ? { method: deliveryMethod.push, endpoint_url: url }
      : {
          method: deliveryMethod.poll,
          endpoint_url: `${issuer}${ssfEndpoints.poll}?stream_id=${encodeURIComponent(id)}`,
        },
  events_supported: [...signalsSupported],
  events_requested: [...requested],
  events_delivered: [...delivered],
  ...(description === null ? {} : { description }),
})

/** §8.1.1.3: a request may repeat the transmitter's own values, but not change them. */
export function contradicts(body: Json, document: JsonObject): string | null {
  if (!isJsonObject(body)) return null
  const ours = ['iss', 'aud', 'events_supported', 'events_delivered'] as const
  return ours.find((name) => body[name] !== undefined && !isSame(body[name], document[name] ?? null)) ?? null
}

const asSorted = (value: Json): string =>
  JSON.stringify(Array.isArray(value) ? (value as readonly Json[]).map(String).toSorted() : [value])

const isSame = (one: Json, other: Json): boolean => asSorted(one) === asSorted(other)

export const streamStatuses = ['enabled', 'paused', 'disabled'] as const
export type StreamStatus = (typeof streamStatuses)[number]
