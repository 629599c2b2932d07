/** The part of a difference that is about clients. */
import { type Catalogue, findResource } from '@grantor/protocol/oauth'
import {
  type Client,
  metadataDocument,
  newClientIdProblem,
  subjectOfPerson,
  undeclaredNames,
} from '@grantor/protocol/registration'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import { newClient, type NewClientDependencies, secretRow, usesSecret } from '../../../clients/new-client.ts'
import type { Ids } from '../../../ports/environment.ts'
import type { FieldProblem } from '../../result.ts'
import type { Announcement, PlanStep, PresentObjects } from '../declaration.ts'
import type { ClientInput, TenantInput } from '../input.ts'

export type { NewClientDependencies } from '../../../clients/new-client.ts'

interface ClientWork {
  step(kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject): boolean
  readonly problems: FieldProblem[]
  readonly deps: NewClientDependencies
  readonly after: Catalogue
}

export function clientChanges(input: TenantInput, present: PresentObjects, work: ClientWork) {
  const create: DirectoryChange['createClients'][number][] = []
  const replace: DirectoryChange['replaceClients'][number][] = []
  const announcements: Announcement[] = []
  for (const wanted of input.clients ?? []) {
    const readable = present.clients.get(wanted.id)
    const held = readable ?? inOrder(present.unreadable.get(wanted.id))
    work.problems.push(...clientProblems(wanted, held, work.after))
    const misnamed = present.namedAsPeople.has(wanted.id) ? subjectOfPerson : newClientIdProblem(wanted.id)
    const stays = held !== undefined && (wanted.disabled || !present.namedAsPeople.has(wanted.id))
    if (misnamed !== null && !stays) work.problems.push({ field: `${wanted.field}.client_id`, problem: misnamed })
    const rotates = newSecret(wanted, held, work.deps.ids)
    const shown = { ...metadataDocument(wanted.metadata), disabled: wanted.disabled }
    const before =
      readable === undefined
        ? held && {}
        : { ...metadataDocument(readable.metadata), disabled: readable.disabledAt !== null }
    const secretMark: JsonObject = rotates ? { client_secret: '(new)' } : {}
    if (!work.step('client', wanted.id, before ?? null, { ...shown, ...secretMark })) continue
    const { id, metadata, secret } = wanted
    if (held === undefined) {
      const { disabled } = wanted
      create.push(newClient({ tenant: input.tenant, id, metadata, secret, origin: 'declared', disabled }, work.deps))
      announcements.push({ name: 'client.registered', clientId: id, data: { origin: 'declared' } })
      continue
    }
    const secrets = rotates && secret !== null ? [secretRow(secret, work.deps.clock.now(), work.deps.ids)] : null
    const disabledAt: Instant | null = wanted.disabled ? (held.disabledAt ?? work.deps.clock.now()) : null
    replace.push({ id, metadata, version: held.version, disabledAt, secrets })
    // `cutoff` tells the revocation feed that access was taken away.
    announcements.push({
      name: 'client.updated',
      clientId: id,
      data: { disabled: wanted.disabled, cutoff: wanted.disabled },
    })
    if (rotates) announcements.push({ name: 'client.secret_rotated', clientId: id, data: { origin: 'declared' } })
  }
  return { create, replace, announcements }
}

type Held = Pick<Client, 'version' | 'disabledAt' | 'secrets'>

/** One that cannot be read is replaced whole: nothing of what it says is believed. */
const inOrder = (version: number | undefined): Held | undefined =>
  version === undefined ? undefined : { version, disabledAt: null, secrets: [] }

const newSecret = (wanted: ClientInput, held: Held | undefined, { handleOf }: Pick<Ids, 'handleOf'>): boolean => {
  if (wanted.secret === null || held === undefined) return false
  const handle = handleOf(wanted.secret)
  return !held.secrets.some((secret) => secret.handle === handle && secret.expiresAt === null)
}

function clientProblems(wanted: ClientInput, held: Held | undefined, after: Catalogue): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  const report = (field: string, problem: string) => problems.push({ field: `${wanted.field}.${field}`, problem })
  const { metadata } = wanted
  if (usesSecret(metadata) && wanted.secret === null && (held === undefined || held.secrets.length === 0)) {
    report('client_secret', 'is needed by this authentication method; give it or client_secret_file')
  }
  for (const { field, problem } of undeclaredNames(metadata, after)) report(field, problem)
  for (const field of ['default_resource', 'resource_server'] as const) {
    const identifier = metadata[field]
    if (identifier !== undefined && findResource(after, identifier) === null)
      report(field, 'names a resource that is not declared')
  }
  return problems
}
