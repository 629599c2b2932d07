/** Reports failed validations to the issuer, in batches and bounded memory; of unproven tokens only their number. */
import { randomUUID } from 'node:crypto'
import {
  encodeReportBatch,
  mostReports,
  type RejectionCount,
  type RejectionReport,
  reportPath,
} from '@grantor/protocol/events'
import type { ClientToken } from '../issuer/client-token.ts'
import type { Outbound } from '../issuer/outbound.ts'
import type { Metrics } from '../metrics.ts'
import { pause, type Time } from '../time.ts'
import type { Caller } from './caller.ts'
import type { Rejection, RejectionCode } from './rejections.ts'

export interface RejectionReportsOptions {
  readonly issuer: string
  readonly resource: string
  readonly token: ClientToken
  readonly outbound: Outbound
  readonly time: Time
  readonly metrics: Metrics
  readonly random: () => number
}

const mostHeld = 2000
const mostTries = 5
const interval = 5000
const limit = { bytes: 64 * 1024, milliseconds: 5000 }

/** The reports to one issuer, about its tokens and those of its tenants. */
export interface ReportsOf {
  readonly root: string
  readonly reports: RejectionReports
}

export type ReportRejection = (rejection: Rejection, caller: Caller | null) => void

/** Reports to the issuer of the token; where that is not proven, to the first issuer that takes reports. */
export function reportRejection({ code, status }: Rejection, caller: Caller | null, all: readonly ReportsOf[]): void {
  // A request without a token is no failed validation, and a limit or an outage says nothing about a token.
  if (code === 'token_missing' || status === 429 || status === 503) return
  const ownIssuer = all.find(({ root }) => caller?.issuer === root || caller?.issuer.startsWith(`${root}/t/`) === true)
  const receiver = caller === null ? all[0] : ownIssuer
  receiver?.reports.record(code, caller)
}

export class RejectionReports {
  readonly #options: RejectionReportsOptions
  readonly #closing = new AbortController()
  #reports: RejectionReport[] = []
  #counts = new Map<RejectionCode, { -readonly [K in keyof RejectionCount]: RejectionCount[K] }>()
  #dropped = 0
  #running: Promise<void> = Promise.resolve()

  constructor(options: RejectionReportsOptions) {
    this.#options = options
  }

  /** How many reports wait to be sent. */
  get held(): number {
    return this.#reports.length + this.#counts.size
  }

  start(): void {
    this.#running = this.#run()
  }

  /** A refusal of a proven token is reported with its claims; of other refusals only the number is reported. */
  record(code: RejectionCode, caller: Caller | null): void {
    const at = this.#options.time.now()
    if (caller === null) {
      const known = this.#counts.get(code)
      if (known === undefined) this.#counts.set(code, { id: randomUUID(), code, count: 1, from: at, to: at })
      else {
        known.count += 1
        known.to = at
      }
      return
    }
    if (this.#reports.length >= mostHeld) {
      this.#dropped += 1
      this.#options.metrics.count('rs_reports_total', { result: 'dropped' })
      return
    }
    const { issuer, tenant, subject, clientId, grantId, jti } = caller
    this.#reports.push({ id: randomUUID(), at, code, issuer, tenant, subject, clientId, grantId, jti })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    // Only one try, so that a shutdown does not wait for more.
    if (this.held > 0) await this.#handIn(1)
  }

  async #run(): Promise<void> {
    const { time, random } = this.#options
    while (!this.#closing.signal.aborted) {
      await pause(time, interval * (0.5 + random()), this.#closing.signal)
      if (!this.#closing.signal.aborted && this.held > 0) await this.#handIn(mostTries)
    }
  }

  async #handIn(tries: number): Promise<void> {
    const { resource, metrics, time, random } = this.#options
    const reports = this.#reports.splice(0, mostReports)
    const counts = [...this.#counts.values()]
    const dropped = this.#dropped
    this.#counts = new Map()
    this.#dropped = 0
    const body = JSON.stringify(encodeReportBatch({ resource, reports, counts, dropped }))
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const outcome = await this.#send(body)
      if (outcome === 'sent')
        return metrics.count('rs_reports_total', { result: 'sent' }, reports.length + counts.length)
      if (outcome === 'refused') break
      if (attempt < tries) await pause(time, random() * 1000 * 2 ** attempt, this.#closing.signal)
    }
    this.#dropped += dropped + reports.length + counts.reduce((sum, { count }) => sum + count, 0)
    metrics.count('rs_reports_total', { result: 'dropped' }, reports.length + counts.length)
  }

  async #send(body: string): Promise<'sent' | 'refused' | 'failed'> {
    const { issuer, token, outbound } = this.#options
    const access = await token.get()
    if (access === null) return 'failed'
    const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
    const answer = await outbound.fetchWhole({ url: issuer + reportPath, method: 'POST', headers, body }, limit)
    if (answer === null || answer.status >= 500 || answer.status === 429) return 'failed'
    if (answer.status === 401) {
      token.forget()
      return 'failed'
    }
    return answer.status < 300 ? 'sent' : 'refused'
  }
}
