/** The state after a file is applied. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import { type Catalogue, findResource, type Resource, type ScopeEntry } from '@grantor/protocol/oauth'
import type { Role } from '@grantor/protocol/people'
import type { PresentObjects } from '../declaration.ts'
import type { TenantInput } from '../input.ts'
import type { Surplus } from '../surplus.ts'

/** The catalogue after the change, for the references of scopes and clients. */
export function afterwards(input: TenantInput, present: PresentObjects, surplus: Surplus): Catalogue {
  const merged = <T>(held: readonly T[] | undefined, wanted: readonly T[] | null, key: (it: T) => string): T[] => [
    ...new Map([...(held ?? []), ...(wanted ?? [])].map((it) => [key(it), it])).values(),
  ]
  return {
    tenant: present.catalogue?.tenant ?? { id: input.tenant, name: input.tenant, revision: 0, disabledAt: null },
    resources: merged<Resource>(
      without(present.catalogue?.resources, surplus.resources),
      input.resources?.map(({ field: _field, ...it }) => it) ?? null,
      (it) => it.identifier,
    ),
    scopes: merged<ScopeEntry>(without(present.catalogue?.scopes, surplus.scopes), input.scopes, (it) => it.name),
    authorizationDetailTypes: merged<AuthorizationDetailType>(
      without(present.catalogue?.authorizationDetailTypes, surplus.detailTypes),
      input.detailTypes,
      (it) => it.type,
    ),
    roles: merged<Role>(without(present.catalogue?.roles, surplus.roles), input.roles, (it) => it.name),
  }
}

export const undeclaredPlaces = ({ resources }: AuthorizationDetailType, after: Catalogue): readonly string[] =>
  resources
    .filter((identifier) => findResource(after, identifier) === null)
    .map((identifier) => `names ${identifier}, a resource that is not declared`)

const without = <T>(held: readonly T[] | undefined, gone: readonly T[]): readonly T[] =>
  (held ?? []).filter((it) => !gone.includes(it))
