/** The format in which a resource server reports failed validations (POST /v1/events/reports). */
import { endpointPath } from '../documents/capabilities.ts'
import { type Instant, type Json, type JsonObject, jsonObject } from '../types.ts'

export const reportPath = endpointPath.eventReports
export const reportScope = 'events:report'
export const mostReports = 200

/** A refused token with a valid signature, so that its claims are reported. Never the token itself. */
export interface RejectionReport {
  /** Made by the reporter, so that a batch that is sent twice is recorded once. */
  readonly id: string
  readonly at: Instant
  readonly code: string
  readonly issuer: string
  readonly tenant: string | null
  readonly subject: string
  readonly clientId: string
  readonly grantId: string | null
  readonly jti: string
}

/** Refused tokens of which nothing can be trusted: only their number, reason and time. */
export interface RejectionCount {
  readonly id: string
  readonly code: string
  readonly count: number
  readonly from: Instant
  readonly to: Instant
}

export interface ReportBatch {
  /** The audience of the reporting API. */
  readonly resource: string
  readonly reports: readonly RejectionReport[]
  readonly counts: readonly RejectionCount[]
  /** Reports dropped since the last batch that arrived, because the reporter's buffer is bounded. */
  readonly dropped: number
}

export function encodeReportBatch({ resource, reports, counts, dropped }: ReportBatch): JsonObject {
  return {
    resource,
    reports: reports.map(({ id, at, code, issuer, tenant, subject, clientId, grantId, jti }) => {
      return { id, at: iso(at), code, issuer, tenant, subject, client_id: clientId, grant_id: grantId, jti }
    }),
    counts: counts.map(({ id, code, count, from, to }) => ({ id, code, count, from: iso(from), to: iso(to) })),
    dropped,
  }
}

/** null for anything but a complete batch within the bounds. */
export function parseReportBatch(body: unknown): ReportBatch | null {
  const batch = jsonObject(body)
  const { resource, reports, counts, dropped } = batch ?? {}
  if (!text(resource) || !natural(dropped) || !Array.isArray(reports) || !Array.isArray(counts)) return null
  if (reports.length > mostReports || counts.length > mostReports) return null
  const readReports = (reports as readonly Json[]).map(parseReport)
  const readCounts = (counts as readonly Json[]).map(parseCount)
  if (readReports.includes(null) || readCounts.includes(null)) return null
  return {
    resource,
    dropped,
    reports: readReports.filter((report) => report !== null),
    counts: readCounts.filter((count) => count !== null),
  }
}

function parseReport(value: Json): RejectionReport | null {
  const { id, at, code, issuer, tenant, subject, client_id: clientId, grant_id: grantId, jti } = jsonObject(value) ?? {}
  const when = instant(at)
  if (!text(id) || !codeWord(code) || !text(issuer) || !text(subject) || !text(clientId) || !text(jti)) return null
  if (when === null || !(tenant === null || text(tenant)) || !(grantId === null || text(grantId))) return null
  return { id, at: when, code, issuer, tenant, subject, clientId, grantId, jti }
}

function parseCount(value: Json): RejectionCount | null {
  const { id, code, count, from, to } = jsonObject(value) ?? {}
  const [start, end] = [instant(from), instant(to)]
  if (!text(id) || !codeWord(code) || !natural(count) || start === null || end === null) return null
  return { id, code, count, from: start, to: end }
}

const iso = (at: Instant): string => new Date(at).toISOString()
const text = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 2048
const codeWord = (value: unknown): value is string => typeof value === 'string' && /^[a-z_]{1,64}$/.test(value)
const natural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function instant(value: Json | undefined): Instant | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : (at as Instant)
}
