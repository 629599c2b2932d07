/** A provider with its secret: as it comes in, as it is kept, and as it is shown, which is without. */
import type { Served } from '@grantor/protocol/documents'
import { longestProviderSecret, type Provider, readProvider, type StoredProvider } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Vault } from '../../ports/vault.ts'
import { providerSecret, sealProviderSecret, secretProblem } from '../../providers/client-secret.ts'
import type { FieldProblem } from '../result.ts'

export interface ProviderInput {
  readonly provider: Provider
  /** Null: the one that is there stays. */
  readonly secret: string | null
}

/** One of a file, with the place where it stands. */
export interface DeclaredProvider extends ProviderInput {
  readonly field: string
}

/** Whether it has a secret, and never which. */
export interface ShownProvider extends Provider {
  readonly has_secret: boolean
}

export function providerInput(item: JsonObject, served: Served): Result<ProviderInput, readonly FieldProblem[]> {
  const { client_secret: secret = null, ...fields } = item
  const read = readProvider(fields, served)
  const isText =
    secret === null || (typeof secret === 'string' && secret !== '' && secret.length <= longestProviderSecret)
  const problems: FieldProblem[] = read.kind === 'error' ? [...read.error] : []
  if (!isText) problems.push({ field: 'client_secret', problem: `must be a text of at most ${longestProviderSecret}` })
  if (read.kind === 'error' || problems.length > 0) return err(problems)
  return ok({ provider: read.value, secret: secret as string | null })
}

export interface KeptProviderContext {
  readonly tenant: TenantId
  readonly held: StoredProvider | undefined
  readonly vault: Vault
}

/** What the tenant will keep: the new secret, or the one that is there; a problem where it does not do. */
export function keptProvider(
  { provider, secret }: ProviderInput,
  { tenant, held, vault }: KeptProviderContext,
): Result<StoredProvider, FieldProblem> {
  const before = held === undefined ? null : (providerSecret(tenant, held, vault) ?? null)
  const problem = secretProblem(provider, secret ?? before)
  if (problem !== null) return err({ field: 'client_secret', problem })
  // The same one stays as it is sealed: nothing was changed.
  const kept = held?.sealed_secret !== undefined && (secret === null || secret === before) ? held.sealed_secret : null
  const sealed = kept ?? (secret === null ? null : sealProviderSecret(tenant, provider.id, secret, vault))
  return ok({ ...provider, ...(sealed === null ? {} : { sealed_secret: sealed }) })
}

export const withoutSecret = ({ sealed_secret: _sealed, ...provider }: StoredProvider): Provider => provider

export const shownProvider = (stored: StoredProvider): ShownProvider => ({
  ...withoutSecret(stored),
  has_secret: stored.sealed_secret !== undefined,
})
