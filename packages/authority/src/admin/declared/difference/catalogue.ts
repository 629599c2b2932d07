/** The part of a difference that concerns resources, scopes and types of authorization details. */
import type { EventName } from '@grantor/protocol/events'
import { type Catalogue, findResource } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import type { FieldProblem } from '../../result.ts'
import type { Announcement, PlanStep, PresentObjects } from '../declaration.ts'
import type { TenantInput } from '../input.ts'
import { undeclaredPlaces } from '../present/afterwards.ts'
import { respelled } from '../resource-input.ts'
import type { Surplus } from '../surplus.ts'

interface Comparison {
  /** Records a step if the two differ, and returns whether they do. */
  step(kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject): boolean
  /** The catalogue after the change, for references to it. */
  readonly after: Catalogue
  readonly surplus: Surplus
}

export function catalogueChanges(
  input: TenantInput,
  { catalogue }: PresentObjects,
  { step, after, surplus }: Comparison,
) {
  const problems: FieldProblem[] = []
  const resources = new Map(catalogue?.resources.map((it) => [it.identifier, it]))
  const putResources = (input.resources ?? []).flatMap(({ field, ...it }) => {
    const problem = resources.has(it.identifier) ? null : respelled(it, after)
    if (problem !== null) problems.push({ field: `${field}.identifier`, problem })
    return step('resource', it.identifier, show(resources.get(it.identifier)), show(it)) ? [it] : []
  })

  const scopes = new Map(catalogue?.scopes.map((it) => [it.name, it]))
  const putScopes = (input.scopes ?? []).flatMap(({ field, ...it }) => {
    if (it.resource !== null && findResource(after, it.resource) === null)
      problems.push({ field: `${field}.resource`, problem: 'names a resource that is not declared' })
    return step('scope', it.name, show(scopes.get(it.name)), show(it)) ? [it] : []
  })

  const detailTypes = new Map(catalogue?.authorizationDetailTypes?.map((it) => [it.type, it]))
  const putDetailTypes = (input.detailTypes ?? []).flatMap(({ field, ...it }) => {
    problems.push(...undeclaredPlaces(it, after).map((problem) => ({ field: `${field}.resources`, problem })))
    return step('authorization details type', it.type, show(detailTypes.get(it.type)), show(it)) ? [it] : []
  })

  return {
    problems,
    announcements: [
      ...putResources.map((it) => about('admin.resource_changed', { identifier: it.identifier })),
      ...putScopes.map((it) => about('admin.scope_changed', { name: it.name })),
      ...putDetailTypes.map((it) => about('admin.details_type_changed', { type: it.type })),
    ],
    change: {
      putResources,
      dropResources: surplus.resources.map((it) => it.identifier),
      putScopes,
      dropScopes: surplus.scopes.map((it) => it.name),
      putDetailTypes,
      dropDetailTypes: surplus.detailTypes.map((it) => it.type),
    } satisfies Partial<DirectoryChange>,
  }
}

const about = (name: EventName, data: JsonObject): Announcement => ({ name, clientId: null, data })

const show = ((it: object | undefined) => (it === undefined ? null : { ...it })) as {
  (it: object): JsonObject
  (it: object | undefined): JsonObject | null
}
