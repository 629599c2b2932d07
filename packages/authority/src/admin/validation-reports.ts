/** Failed validations that resource servers report (docs/events.md): written to the log as a report, not as a fact. */
import type { Actor, NewEvent, RejectionCount, RejectionReport, ReportBatch } from '@grantor/protocol/events'
import { canonicalUri } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { GrantId, TenantId, TokenId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { AdminResult } from './result.ts'

export interface ValidationReportAdmin {
  /** `reporter` is the client that reports; 'forbidden' unless it is the resource server that the report names. */
  record(tenant: TenantId, reporter: string, batch: ReportBatch): Promise<AdminResult<{ readonly recorded: number }>>
}

export interface ValidationReportAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'clients' | 'events'>
}

/**
 * How many ids of recent reports are remembered, of all reporters together. A batch repeated within that many is
 * recorded once.
 */
const mostRemembered = 50_000

export function openValidationReportAdmin(deps: ValidationReportAdminDependencies): ValidationReportAdmin {
  const known = new Set<string>()

  function remember(mark: string): void {
    known.add(mark)
    if (known.size <= mostRemembered) return
    const oldest = known.values().next()
    if (oldest.done !== true) known.delete(oldest.value)
  }

  return {
    async record(tenant, reporter, batch) {
      const client = await deps.store.clients.find(tenant, reporter)
      const audience = client?.metadata.resource_server
      // The resource server of one API cannot report for another.
      if (audience === undefined || !sameResource(audience, batch.resource)) {
        return err({ reason: 'forbidden', what: `client ${reporter} is not the resource server of that resource` })
      }
      const mark = ({ id }: { readonly id: string }): string => `${tenant} ${reporter} ${id}`
      const reports = batch.reports.filter((report) => !known.has(mark(report)))
      const counts = batch.counts.filter((count) => !known.has(mark(count)))
      const marks = [...reports, ...counts].map(mark)
      const events = eventsOf({ ...batch, reports, counts }, { tenant, reporter }, deps)
      // Before the write, so that the same batch sent twice at once is not written twice; a failed write undoes it.
      for (const one of marks) remember(one)
      try {
        if (events.length > 0) await deps.store.events.append(events)
      } catch (cause) {
        for (const one of marks) known.delete(one)
        throw cause
      }
      return ok({ recorded: marks.length })
    },
  }
}

const sameResource = (one: string, other: string): boolean =>
  one === other || (canonicalUri(one) ?? one) === (canonicalUri(other) ?? other)

interface ReportSource {
  readonly tenant: TenantId
  readonly reporter: string
}

function eventsOf(
  batch: ReportBatch,
  { tenant, reporter }: ReportSource,
  deps: ValidationReportAdminDependencies,
): readonly NewEvent[] {
  const actor: Actor = { kind: 'resource_server', id: reporter }
  const { resource, dropped } = batch
  const rejected = (about: Parameters<typeof newEvent>[3]) =>
    newEvent(deps, localOrigin(tenant), 'token.rejected', about)
  const one = (it: RejectionReport) =>
    rejected({
      actor,
      subject: it.subject,
      clientId: it.clientId,
      grantId: it.grantId as GrantId | null,
      jti: it.jti as TokenId,
      reason: it.code,
      data: { report_id: it.id, resource, issuer: it.issuer, token_tenant: it.tenant, at: it.at },
    })
  const many = (it: RejectionCount) =>
    rejected({
      actor,
      reason: it.code,
      data: { report_id: it.id, resource, count: it.count, from: it.from, to: it.to },
    })
  return [
    ...batch.reports.map(one),
    ...batch.counts.map(many),
    // The reporter's memory is bounded, and it reports how many it dropped. A batch that is known as a whole reported
    // that before.
    ...(dropped > 0 && batch.reports.length + batch.counts.length > 0
      ? [rejected({ actor, reason: 'reports_dropped', data: { resource, count: dropped } })]
      : []),
  ]
}
