/** Scopes that a client names and no catalogue has: nothing would ever issue them. */
import { isKnownScope } from '../oauth/catalogue.ts'
import { parseScope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { FieldProblem } from './field-types.ts'

/** `held` is what the client was before: what has left the catalogue since may stay. */
export function undeclaredScopes(
  { scope }: Pick<ClientMetadata, 'scope'>,
  catalogue: Catalogue,
  held: Pick<ClientMetadata, 'scope'> | null = null,
): readonly FieldProblem[] {
  const before = parseScope(held?.scope ?? '')
  return [...(parseScope(scope) ?? [])]
    .filter((name) => !isKnownScope(catalogue, name) && before?.has(name) !== true)
    .map((name) => ({ field: 'scope', problem: `names ${name}, which is not declared` }))
}
