/** Validates the input for a new API key as a whole, and reports every problem with its field. */
import { findResource } from '../oauth/catalogue.ts'
import { parseScope, type Scope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { textLimits } from '../oauth/text-limits.ts'
import type { Client } from '../registration/client.ts'
import type { FieldProblem } from '../registration/field-types.ts'
import { err, ok, type Result } from '../result.ts'
import type { Instant } from '../types.ts'
import { addressBlock } from '../uri/address-block.ts'
import { type ApiKey, type KeyCircumstances, keyScope, needsProof } from './api-key.ts'

export interface NewKeyInput {
  readonly name: string
  readonly clientId: string
  readonly resource: string
  /** Names separated by spaces; null is everything that the client may have at the resource. */
  readonly scope: string | null
  readonly addresses: readonly string[]
  readonly expiresAt: Instant | null
}

export const mostKeyAddresses = 20
/** Ten years: a later date is a typing error; a key without an end has no date. */
const longestLife = 10 * 366 * 86_400_000

type Checked = Pick<ApiKey, 'name' | 'clientId' | 'resource' | 'scope' | 'addresses' | 'expiresAt'>

export function checkNewKey(
  input: NewKeyInput,
  {
    client,
    catalogue,
    issuer,
    now,
  }: Pick<KeyCircumstances, 'catalogue' | 'issuer' | 'now'> & {
    readonly client: Client | null
  },
): Result<Checked, readonly FieldProblem[]> {
  const resource = input.resource === issuer ? issuer : (findResource(catalogue, input.resource)?.identifier ?? null)
  const scope = input.scope === null ? null : parseScope(input.scope)
  const asked = { resource: resource ?? '', scope }
  const problems: FieldProblem[] = [
    ...nameProblem(input.name),
    ...clientProblem(client, catalogue),
    ...(resource === null ? [{ field: 'resource', problem: 'must be a declared resource' }] : []),
    ...(client === null || resource === null
      ? []
      : scopeProblem(input.scope, keyScope({ ...asked, scope: null }, client, { catalogue, issuer }))),
    ...addressProblems(input.addresses),
    ...endProblem(input.expiresAt, now),
  ]
  const { name, clientId, expiresAt } = input
  const addresses = [...new Set(input.addresses)]
  return problems.length > 0 ? err(problems) : ok({ ...asked, name, clientId, addresses, expiresAt })
}

function nameProblem(name: string): readonly FieldProblem[] {
  // Control characters and bidirectional controls make one name look like another.
  const fine = name.trim() !== '' && name.length <= textLimits.name && !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(name)
  return fine ? [] : [{ field: 'name', problem: `must be a text of 1 to ${textLimits.name} visible characters` }]
}

function clientProblem(client: Client | null, catalogue: Catalogue): readonly FieldProblem[] {
  if (client === null) return [{ field: 'client_id', problem: 'is no client of this tenant' }]
  if (client.disabledAt !== null) return [{ field: 'client_id', problem: 'is a disabled client' }]
  return needsProof(client, catalogue)
    ? [{ field: 'client_id', problem: 'is a client whose tokens are bound to a key; an API key would be a way around' }]
    : []
}

function scopeProblem(asked: string | null, has: Scope): readonly FieldProblem[] {
  if (has.size === 0) return [{ field: 'resource', problem: 'the client is registered for no scope of this resource' }]
  if (asked === null) return []
  const scope = parseScope(asked)
  if (scope === null || scope.size === 0) return [{ field: 'scope', problem: 'must be names between single spaces' }]
  const beyond = [...scope].filter((name) => !has.has(name))
  return beyond.length === 0
    ? []
    : [{ field: 'scope', problem: `the client does not have ${beyond.join(' ')} at this resource` }]
}

function addressProblems(addresses: readonly string[]): readonly FieldProblem[] {
  if (addresses.length > mostKeyAddresses)
    return [{ field: 'addresses', problem: `at most ${mostKeyAddresses} of them` }]
  return addresses.flatMap((text, n) =>
    addressBlock(text) === null
      ? [
          {
            field: `addresses[${n}]`,
            problem: 'must be an IP address or a block such as 192.0.2.0/24 or 2001:db8::/32',
          },
        ]
      : [],
  )
}

function endProblem(expiresAt: Instant | null, now: Instant): readonly FieldProblem[] {
  if (expiresAt === null || (expiresAt > now && expiresAt <= now + longestLife)) return []
  return [{ field: 'expires_at', problem: 'must lie ahead, and within ten years' }]
}
