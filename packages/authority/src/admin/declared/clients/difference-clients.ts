/** The part of a difference that concerns clients. */
import { type Catalogue, findResource } from '@grantor/protocol/oauth'
import {
  type Client,
  type ClientMetadata,
  metadataDocument,
  newClientIdProblem,
  subjectOfPerson,
  undeclaredNames,
} from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import { newClient, type NewClientDependencies, secretRow, usesSecret } from '../../../clients/new-client.ts'
import type { Ids } from '../../../ports/environment.ts'
import type { FieldProblem } from '../../result.ts'
import type { Announcement, PlanStep, PresentObjects } from '../declaration.ts'
import type { ClientInput, TenantInput } from '../input.ts'
import type { Surplus } from '../surplus.ts'

export type { NewClientDependencies } from '../../../clients/new-client.ts'

interface Comparison {
  /** Records a step if the two differ, and returns whether they do. */
  step(kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject): boolean
  readonly deps: NewClientDependencies
  readonly after: Catalogue
  readonly surplus: Surplus
}

interface ClientChange {
  readonly problems: readonly FieldProblem[]
  readonly announcements?: readonly Announcement[]
  readonly create?: DirectoryChange['createClients'][number]
  readonly replace?: DirectoryChange['replaceClients'][number]
}

export function clientChanges(input: TenantInput, present: PresentObjects, comparison: Comparison) {
  const changes = (input.clients ?? []).map((wanted) => clientChange(wanted, { input, present }, comparison))
  return {
    problems: changes.flatMap((it) => it.problems),
    announcements: changes.flatMap((it) => it.announcements ?? []),
    change: {
      createClients: changes.flatMap((it) => it.create ?? []),
      replaceClients: changes.flatMap((it) => it.replace ?? []),
      dropClients: comparison.surplus.clients.map(({ id, version }) => ({ id, version })),
    } satisfies Partial<DirectoryChange>,
  }
}

interface ComparedTenant {
  readonly input: TenantInput
  readonly present: PresentObjects
}

function clientChange(
  wanted: ClientInput,
  { input: { tenant }, present }: ComparedTenant,
  { step, deps, after }: Comparison,
): ClientChange {
  const { id, metadata, secret, disabled } = wanted
  const readable = present.clients.get(id)
  const held = readable ?? inOrder(present.unreadable.get(id))
  const problems = [
    ...secretProblems(wanted, held),
    ...undeclaredOf(wanted, { before: readable?.metadata, now: present.catalogue, after }),
    ...nameProblems(wanted, held, present),
  ]
  const rotates = newSecret(wanted, held, deps.ids)
  const before =
    readable === undefined
      ? held && {}
      : { ...metadataDocument(readable.metadata), disabled: readable.disabledAt !== null }
  const shown = { ...metadataDocument(metadata), disabled, ...(rotates ? { client_secret: '(new)' } : {}) }
  if (!step('client', id, before ?? null, shown)) return { problems }
  if (held === undefined)
    return {
      problems,
      announcements: [{ name: 'client.registered', clientId: id, data: { origin: 'declared' } }],
      create: newClient({ tenant, id, metadata, secret, origin: 'declared', disabled }, deps),
    }
  const now = deps.clock.now()
  return {
    problems,
    announcements: [
      // `cutoff` tells the revocation feed that access was withdrawn.
      { name: 'client.updated', clientId: id, data: { disabled, cutoff: disabled } },
      ...(rotates ? [{ name: 'client.secret_rotated' as const, clientId: id, data: { origin: 'declared' } }] : []),
    ],
    replace: {
      id,
      metadata,
      version: held.version,
      disabledAt: disabled ? (held.disabledAt ?? now) : null,
      secrets: rotates && secret !== null ? [secretRow(secret, now, deps.ids)] : null,
    },
  }
}

/** Names that a new client may not have. An existing client keeps its name, unless a person has it as their `sub`. */
function nameProblems(
  { id, field, disabled }: ClientInput,
  held: Held | undefined,
  { namedAsPeople }: PresentObjects,
): readonly FieldProblem[] {
  const problem = namedAsPeople.has(id) ? subjectOfPerson : newClientIdProblem(id)
  const stays = held !== undefined && (disabled || !namedAsPeople.has(id))
  return problem === null || stays ? [] : [{ field: `${field}.client_id`, problem }]
}

type Held = Pick<Client, 'version' | 'disabledAt' | 'secrets'>

/** A client that cannot be read is replaced as a whole: none of its content is used. */
const inOrder = (version: number | undefined): Held | undefined =>
  version === undefined ? undefined : { version, disabledAt: null, secrets: [] }

const newSecret = (wanted: ClientInput, held: Held | undefined, { handleOf }: Pick<Ids, 'handleOf'>): boolean => {
  if (wanted.secret === null || held === undefined) return false
  const handle = handleOf(wanted.secret)
  return !held.secrets.some((secret) => secret.handle === handle && secret.expiresAt === null)
}

function secretProblems({ metadata, secret, field }: ClientInput, held: Held | undefined): readonly FieldProblem[] {
  if (!usesSecret(metadata) || secret !== null || (held !== undefined && held.secrets.length > 0)) return []
  const problem = 'is needed by this authentication method; give it or client_secret_file'
  return [{ field: `${field}.client_secret`, problem }]
}

interface NamedBy {
  /** The metadata of the client before; undefined for a new client. */
  readonly before: ClientMetadata | undefined
  readonly now: Catalogue | null
  readonly after: Catalogue
}

/**
 * The names that this file leaves undeclared. A client may keep a name that left the catalogue earlier, as at the admin
 * API, but not one that this file removes.
 */
function undeclaredOf({ metadata, field: at }: ClientInput, { before, now, after }: NamedBy): readonly FieldProblem[] {
  const left = before === undefined || now === null ? [] : namesWithout(now, before)
  return namesWithout(after, metadata)
    .filter(({ name }) => !left.some((it) => it.name === name))
    .map(({ field, problem }) => ({ field: `${at}.${field}`, problem }))
}

/** The scopes, types of authorization details and resources that a client names and the catalogue does not hold. */
function namesWithout(catalogue: Catalogue, metadata: ClientMetadata) {
  const names = undeclaredNames(metadata, catalogue).map((it) => ({ ...it, name: `${it.field} ${it.problem}` }))
  const resources = (['default_resource', 'resource_server'] as const).flatMap((field) => {
    const identifier = metadata[field]
    if (identifier === undefined || findResource(catalogue, identifier) !== null) return []
    return [{ field, problem: 'names a resource that is not declared', name: `${field} ${identifier}` }]
  })
  return [...names, ...resources]
}
