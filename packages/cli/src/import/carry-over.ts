/** Imports what was read: people in batches, other objects before and after them. A second run continues the first. */
import type { AdminError, ImportedUser, ImportOutcome } from '@grantor/authority'
import { groupKey } from '@grantor/protocol/people'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Deployment } from '@grantor/server'
import type { UpstreamName } from '@grantor/store'
import type { ReportProgress } from '../output/progress.ts'
import { operator } from '../program/operator.ts'
import {
  type CarriedObject,
  type CarryContext,
  carryObjects,
  type Holdings,
  inTenant,
  problemsOf,
} from './carry-objects.ts'
import { type ImportedData, type ImportedPerson, text } from './source.ts'

export interface CarriedOver {
  readonly people: readonly CarriedPerson[]
  readonly objects: readonly CarriedObject[]
}

export interface CarriedPerson {
  /** With the data that could be imported, and the list of what is left out. */
  readonly person: ImportedPerson
  readonly identities: readonly UpstreamName[]
  readonly outcome: ImportOutcome
}

export interface CarryOverOptions {
  readonly tenant: TenantId
  /** Only says what would be done; changes nothing. */
  readonly plan: boolean
  readonly progress: ReportProgress
}

/** People per commit: enough to be quick, few enough that nobody who signs in meanwhile has to wait. */
const together = 200

export async function carryOver(
  data: ImportedData,
  { tenant, plan, progress }: CarryOverOptions,
  { authority, store }: Pick<Deployment, 'authority' | 'store'>,
): Promise<Result<CarriedOver, AdminError>> {
  const catalogue = await store.directory.catalogue(tenant)
  if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
  const context: CarryContext = { tenant, plan, authority, catalogue }
  const holdings = await carryObjects(data, context)
  const providers = [...(catalogue.tenant.providers ?? []), ...data.providers]
  const renaming = new Set(providers.filter(({ kind }) => kind === 'microsoft').map(({ id }) => text(id) ?? ''))
  const known: Known = { ...holdings, renaming, claimed: new Set() }
  const total = data.people.length + data.clients.length
  const people: CarriedPerson[] = []
  for (let from = 0; from < data.people.length; from += together) {
    const some = data.people.slice(from, from + together).map((person) => withHoldings(person, known))
    const users = some.map(({ person, identities }): ImportedUser => ({ ...person, identities }))
    const outcomes = await authority.admin.users.importMany(operator(), { tenant, users, plan })
    if (outcomes.kind === 'error') return outcomes
    for (const [at, it] of some.entries()) people.push(settled({ ...it, outcome: outcomes.value[at] as ImportOutcome }))
    progress(people.length, total)
  }
  const clients: CarriedObject[] = []
  for (const client of data.clients) {
    clients.push(await carryClient(client, holdings, context))
    progress(people.length + clients.length, total)
  }
  return ok({ people, objects: [...holdings.objects, ...clients] })
}

interface Known extends Holdings {
  /** Ids of providers that give the same person a different subject in every application. */
  readonly renaming: ReadonlySet<string>
  /** Upstream identities (provider and subject, as JSON) that a person in this file already has. */
  readonly claimed: Set<string>
}

/** Leaves out roles, groups and providers that do not exist here, and upstream identities of another person. */
function withHoldings(person: ImportedPerson, known: Known): Omit<CarriedPerson, 'outcome'> {
  const roles = (person.roles ?? []).filter((role) => known.roles.has(role))
  const groups = (person.groups ?? []).filter((name) => known.groups.has(groupKey(name)))
  const identities: UpstreamName[] = []
  const leftOut = new Set(person.leftOut)
  if (roles.length < (person.roles ?? []).length) leftOut.add('roles that are not here')
  if (groups.length < (person.groups ?? []).length) leftOut.add('groups that are not here')
  for (const { provider, upstreamSubject } of person.links) {
    const issuer = known.issuers.get(provider)
    const name = JSON.stringify([provider, upstreamSubject])
    if (issuer === undefined) leftOut.add('sign-in by a provider that is not here')
    else if (known.renaming.has(provider)) leftOut.add('sign-in by Microsoft, which names people anew for us')
    else if (known.claimed.has(name)) leftOut.add(ofAnother)
    else identities.push({ provider, issuer, upstreamSubject })
    known.claimed.add(name)
  }
  return { person: { ...person, roles, groups, leftOut: [...leftOut] }, identities }
}

const ofAnother = 'sign-in that is somebody else’s here'

function settled(carried: CarriedPerson): CarriedPerson {
  const { person, outcome } = carried
  if (outcome.kind !== 'created' || outcome.taken.length === 0) return carried
  return { ...carried, person: { ...person, leftOut: [...person.leftOut, ofAnother] } }
}

async function carryClient(
  client: JsonObject,
  { missing }: Holdings,
  { tenant, plan, authority: { admin } }: CarryContext,
): Promise<CarriedObject> {
  const id = text(client['client_id']) ?? ''
  const refused = (error: AdminError): CarriedObject => ({
    kind: 'client',
    id,
    act: 'refused',
    problems: problemsOf(error),
  })
  const held = await admin.clients.find(tenant, id)
  if (held.kind === 'ok') return { kind: 'client', id, act: 'present', problems: [] }
  if (held.error.reason !== 'absent') return refused(held.error)
  // In a plan, the scopes that a client names do not exist yet.
  const wanted = inTenant(tenant, { ...(plan ? missing : {}), clients: [client] })
  const carried = await (plan ? admin.declared.plan(wanted) : admin.declared.apply(operator(), wanted))
  return carried.kind === 'ok' ? { kind: 'client', id, act: 'create', problems: [] } : refused(carried.error)
}
