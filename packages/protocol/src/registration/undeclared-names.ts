/** Scopes and types of details that a client names but no catalogue declares: they could never be issued. */
import { isKnownScope } from '../oauth/catalogue.ts'
import { parseScope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { FieldProblem } from './field-types.ts'

type NamingFields = Pick<ClientMetadata, 'scope' | 'authorization_details_types'>

/** `held` is the client before the change: names that were removed from the catalogue since may stay. */
export function undeclaredNames(
  named: NamingFields,
  catalogue: Catalogue,
  held: NamingFields | null = null,
): readonly FieldProblem[] {
  const before = parseScope(held?.scope ?? '')
  const scopes = [...(parseScope(named.scope) ?? [])].filter(
    (name) => !isKnownScope(catalogue, name) && before?.has(name) !== true,
  )
  const types = (named.authorization_details_types ?? []).filter(
    (name) =>
      catalogue.authorizationDetailTypes?.some(({ type }) => type === name) !== true &&
      held?.authorization_details_types?.includes(name) !== true,
  )
  const problem = (field: string, name: string): FieldProblem => ({
    field,
    problem: `names ${name}, which is not declared`,
  })
  return [
    ...scopes.map((name) => problem('scope', name)),
    ...types.map((name) => problem('authorization_details_types', name)),
  ]
}
