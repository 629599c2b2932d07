/** Carries over what was read: people many at a time, clients one by one; run again, it goes on where it was. */
import type { AdminError, Declaration, ImportOutcome } from '@grantor/authority'
import { ok, type Result } from '@grantor/protocol/result'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { Deployment } from '@grantor/server'
import type { ReportProgress } from '../output/progress.ts'
import { adminFailure } from '../program/exit.ts'
import { operator } from '../program/operator.ts'
import { type ImportedData, type ImportedPerson, text } from './source.ts'

export interface CarriedOver {
  readonly people: readonly (readonly [ImportedPerson, ImportOutcome])[]
  readonly clients: readonly CarriedClient[]
}

export interface CarriedClient {
  readonly id: string
  readonly act: 'create' | 'change' | 'present' | 'refused'
  /** Why it was refused. */
  readonly problems: readonly string[]
}

export interface CarryOverOptions {
  readonly tenant: TenantId
  /** Changes nothing. */
  readonly plan: boolean
  readonly progress: ReportProgress
}

/** People in one commit: enough to be quick, few enough that nobody who signs in meanwhile waits. */
const together = 200

export async function carryOver(
  { people, clients }: ImportedData,
  { tenant, plan, progress }: CarryOverOptions,
  { authority }: Pick<Deployment, 'authority'>,
): Promise<Result<CarriedOver, AdminError>> {
  const total = people.length + clients.length
  const carriedPeople: (readonly [ImportedPerson, ImportOutcome])[] = []
  for (let from = 0; from < people.length; from += together) {
    const users = people.slice(from, from + together)
    const outcomes = await authority.admin.users.importMany(operator(), { tenant, users, plan })
    if (outcomes.kind === 'error') return outcomes
    for (const [at, outcome] of outcomes.value.entries()) carriedPeople.push([users[at] as ImportedPerson, outcome])
    progress(carriedPeople.length, total)
  }
  const carriedClients: CarriedClient[] = []
  for (const client of clients) {
    carriedClients.push(await carryClient(client, { tenant, plan }, { authority }))
    progress(carriedPeople.length + carriedClients.length, total)
  }
  return ok({ people: carriedPeople, clients: carriedClients })
}

async function carryClient(
  client: JsonObject,
  { tenant, plan }: Pick<CarryOverOptions, 'tenant' | 'plan'>,
  { authority }: Pick<Deployment, 'authority'>,
): Promise<CarriedClient> {
  const { declared } = authority.admin
  const clients = [client]
  const wanted: Declaration = tenant === defaultTenant ? { clients } : { tenants: [{ id: tenant, clients }] }
  const carried = await (plan ? declared.plan(wanted) : declared.apply(operator(), wanted))
  const id = text(client['client_id']) ?? ''
  if (carried.kind === 'error') {
    const { what, where } = adminFailure(carried.error).error
    return { id, act: 'refused', problems: where.length > 0 ? where : [what] }
  }
  const act = carried.value.steps.find(({ kind }) => kind === 'client')?.act
  return { id, act: act === 'create' || act === 'change' ? act : 'present', problems: [] }
}
