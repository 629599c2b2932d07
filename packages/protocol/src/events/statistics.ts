/** The counted series of the log (docs/admin-api.md): one row per series, with the events that count for it. */
import { problemTypes } from '../http/problem-types.ts'
import { type JsonObject, jsonObject } from '../types.ts'
import type { EventName } from './event.ts'

interface SeriesPlan {
  readonly names: readonly EventName[]
  /** Whether each reason is counted separately. */
  readonly byReason: boolean
  readonly description: string
}

const plans = {
  issued: { names: ['token.issued'], byReason: false, description: 'Access tokens issued, but for a refresh' },
  refreshed: { names: ['token.refreshed'], byReason: false, description: 'Access tokens issued for a refresh token' },
  refused: {
    names: [
      'client.refused',
      'redirect_uri.refused',
      'verifier.refused',
      'proof.refused',
      'assertion.refused',
      'token.refused',
      'token.denied',
      'consent.denied',
    ],
    byReason: true,
    description: 'Requests of clients that were refused',
  },
  rejected: {
    names: ['token.rejected'],
    byReason: true,
    description: 'Tokens that failed validation, at introspection or as APIs report',
  },
  signed_in: { names: ['session.started'], byReason: false, description: 'Sign-ins' },
  sign_in_failed: { names: ['login.failed'], byReason: true, description: 'Sign-ins that failed' },
  signed_out: { names: ['session.ended'], byReason: false, description: 'Sessions that were ended' },
  revoked: {
    names: ['token.revoked', 'grant.revoked', 'api_key.revoked'],
    byReason: false,
    description: 'Tokens, grants and API keys that were revoked',
  },
  replayed: {
    names: ['token.replayed'],
    byReason: false,
    description: 'Codes and refresh tokens that were used again',
  },
} as const satisfies Readonly<Record<string, SeriesPlan>>

export type StatisticsSeries = keyof typeof plans
export const statisticsSeries = Object.freeze(Object.keys(plans)) as readonly StatisticsSeries[]
export const seriesPlan = (series: StatisticsSeries): SeriesPlan => plans[series]

const seriesOf = new Map<string, StatisticsSeries>(
  statisticsSeries.flatMap((series) => plans[series].names.map((name) => [name, series])),
)

export interface CountedEvent {
  readonly series: StatisticsSeries
  /** Empty where the series has no reasons. */
  readonly reason: string
  readonly count: number
}

const once = new Map(statisticsSeries.map((series) => [series, Object.freeze({ series, reason: '', count: 1 })]))

/**
 * The series that an event counts for, from its encoded text; null for most events. Called for every token: the name is
 * searched in the text, and only an event counted by reason is parsed.
 */
export function countedIn(body: string): CountedEvent | null {
  // No earlier string contains an unescaped quote, so the first match is the member itself.
  const start = body.indexOf(nameMember) + nameMember.length
  const series = seriesOf.get(body.slice(start, body.indexOf('"', start)))
  if (series === undefined) return null
  return plans[series].byReason ? byReason(series, body) : (once.get(series) ?? null)
}

const nameMember = '"name":"'

function byReason(series: StatisticsSeries, body: string): CountedEvent {
  const { reason, actor, data } = JSON.parse(body) as JsonObject
  const reported = jsonObject(actor)?.['kind'] === 'resource_server'
  const count = jsonObject(data)?.['count']
  return {
    series,
    reason: typeof reason === 'string' && (reported ? reportable : word).test(reason) ? reason : 'other',
    count: typeof count === 'number' && Number.isInteger(count) && count > 0 ? Math.min(count, mostAtOnce) : 1,
  }
}

/** An event may represent many, but a reporter's number counts only up to this. */
const mostAtOnce = 1_000_000
const word = /^[a-z_]{1,64}$/
/** Reasons reported by an API are not trusted, and must not create any number of series. */
const reportable = new RegExp(
  `^(?:reports_dropped|${Object.values(problemTypes)
    .flatMap((it) => it.codes)
    .join('|')})$`,
)
