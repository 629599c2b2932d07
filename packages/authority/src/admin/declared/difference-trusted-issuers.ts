/** The part of a difference that concerns trusted issuers: the changed ones, and the whole list after the change. */
import { mostTrustedIssuers, type TrustedIssuer } from '@grantor/protocol/trust'
import type { JsonObject } from '@grantor/protocol/types'
import type { FieldProblem } from '../result.ts'
import type { Announcement, PresentObjects } from './declaration.ts'
import type { TenantInput } from './input.ts'
import type { Surplus } from './surplus.ts'
import type { TrustedIssuerInput } from './trusted-issuer-input.ts'

interface Comparison {
  /** Records a step if the two differ. */
  step(kind: 'trusted issuer', id: string, before: JsonObject | null, after: JsonObject): boolean
  readonly surplus: Surplus
}

/** `after` is null where nothing in the list changes. */
export function trustedIssuerChanges(input: TenantInput, present: PresentObjects, { step, surplus }: Comparison) {
  const held = present.catalogue?.tenant.trustedIssuers ?? []
  const shown = (it: TrustedIssuer): JsonObject => ({ ...it }) as unknown as JsonObject
  const changed = (input.trustedIssuers ?? []).filter(({ declared }) => {
    const before = held.find((it) => it.issuer === declared.issuer)
    return step('trusted issuer', declared.issuer, before === undefined ? null : shown(before), shown(declared))
  })
  const dropped = surplus.trustedIssuers
  const wanted = changed.map(({ declared }) => declared)
  const declaredIds = new Set(input.clients?.map(({ id }) => id))
  const named = held.flatMap(({ rules = [] }) => rules.map(({ client }) => client))
  // A rule may keep a client that was removed earlier: such a rule lets no workload in.
  const left = new Set(named.filter((id) => !present.namedByRules.has(id)))
  return {
    problems: trustedIssuerProblems(
      input.trustedIssuers ?? [],
      (id) =>
        declaredIds.has(id) ||
        left.has(id) ||
        (present.namedByRules.has(id) && !surplus.clients.some((it) => it.id === id)),
    ),
    announcements: wanted.map(({ issuer }): Announcement => ({
      name: 'admin.trusted_issuer_changed',
      clientId: null,
      data: { issuer },
    })),
    after: wanted.length + dropped.length === 0 ? null : trustedIssuersAfter({ held, wanted, dropped }),
  }
}

interface TrustedIssuerLists {
  readonly held: readonly TrustedIssuer[]
  readonly wanted: readonly TrustedIssuer[]
  readonly dropped: readonly TrustedIssuer[]
}

/** The list after the change: issuers of the file replace those of the same name, and the others stay. */
function trustedIssuersAfter({ held, wanted, dropped }: TrustedIssuerLists): readonly TrustedIssuer[] {
  const kept = held.filter((it) => !dropped.some(({ issuer }) => issuer === it.issuer))
  return [...new Map([...kept, ...wanted].map((it) => [it.issuer, it])).values()]
}

/** Every rule must name a client that exists, or will. */
function trustedIssuerProblems(
  inputs: readonly TrustedIssuerInput[],
  isClient: (id: string) => boolean,
): readonly FieldProblem[] {
  if (inputs.length > mostTrustedIssuers)
    return [{ field: 'trusted_issuers', problem: `must not hold more than ${mostTrustedIssuers} entries` }]
  return inputs.flatMap(({ declared, field }) =>
    (declared.rules ?? []).flatMap(({ client }, at) =>
      isClient(client)
        ? []
        : [{ field: `${field}.rules[${at}].client`, problem: 'names a client that is not there and not declared' }],
    ),
  )
}
