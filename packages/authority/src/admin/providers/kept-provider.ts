/** A provider with its secret: as it is received, as it is stored, and as it is shown, without the secret. */
import type { Served } from '@grantor/protocol/documents'
import {
  longestProviderSecret,
  presetOf,
  type Provider,
  readProvider,
  type StoredProvider,
} from '@grantor/protocol/providers'
import { isHeaderValue } from '@grantor/protocol/ssf'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { SignalPollHealth } from '@grantor/store'
import type { Vault } from '../../ports/vault.ts'
import {
  providerSecret,
  providerSecretContext,
  type SealedOfProvider,
  sealForProvider,
  secretProblem,
} from '../../providers/client-secret.ts'
import type { FieldProblem } from '../result.ts'

export interface ProviderInput {
  readonly provider: Provider
  /** Null: the present one stays. */
  readonly secret: string | null
  /** The `Authorization` header for polling security events. Null: as with the secret. */
  readonly signalsAuthorization: string | null
}

/** A provider of a file, with its path there. */
export interface DeclaredProvider extends ProviderInput {
  readonly field: string
}

/** Shows whether the provider has secrets, never which. */
export interface ShownProvider extends Provider {
  readonly has_secret: boolean
  readonly has_signals_authorization?: boolean
  /** The state of polling the provider. */
  readonly polled?: SignalPollHealth
}

export function providerInput(item: JsonObject, served: Served): Result<ProviderInput, readonly FieldProblem[]> {
  const { client_secret: secret = null, signals_authorization: header = null, ...fields } = item
  const read = readProvider(fields, served)
  const isText =
    secret === null || (typeof secret === 'string' && secret !== '' && secret.length <= longestProviderSecret)
  const problems: FieldProblem[] = read.kind === 'error' ? [...read.error] : []
  if (!isText) problems.push({ field: 'client_secret', problem: `must be a text of at most ${longestProviderSecret}` })
  if (header !== null && !isHeaderValue(header))
    problems.push({ field: 'signals_authorization', problem: 'must be the value of a header' })
  else if (header !== null && read.kind === 'ok' && read.value.signals_url === undefined)
    problems.push({ field: 'signals_authorization', problem: 'means nothing without signals_url' })
  if (read.kind === 'error' || problems.length > 0) return err(problems)
  return ok({ provider: read.value, secret: secret as string | null, signalsAuthorization: header as string | null })
}

export interface KeptProviderContext {
  readonly tenant: TenantId
  readonly held: StoredProvider | undefined
  readonly vault: Vault
}

/**
 * Whether the secret would still be sent only where it was given for: the same servers of a directory, or the same
 * issuer.
 */
function isShownToSame(provider: Provider, held: StoredProvider): boolean {
  const { protocol } = presetOf(provider)
  if (protocol !== presetOf(held).protocol) return false
  return protocol === 'ldap'
    ? (provider.hosts ?? []).every((host) => held.hosts?.includes(host) === true)
    : provider.issuer === held.issuer
}

/** The provider to store: with the new secrets, or the present ones; a problem where one is not acceptable. */
export function keptProvider(
  { provider, secret, signalsAuthorization }: ProviderInput,
  { tenant, held, vault }: KeptProviderContext,
): Result<StoredProvider, FieldProblem> {
  // A provider that moves elsewhere needs its secret given again, so that nobody can have it sent there without knowing
  // it.
  if (secret === null && held?.sealed_secret !== undefined && !isShownToSame(provider, held))
    return err({ field: 'client_secret', problem: 'must be given again: the one that is kept is for another place' })
  const before = held === undefined ? null : (providerSecret(tenant, held, vault) ?? null)
  const problem = secretProblem(provider, secret ?? before)
  if (problem !== null) return err({ field: 'client_secret', problem })
  /** An unchanged secret keeps its present seal, so that the row does not change. */
  const sealed = (member: SealedOfProvider, given: string | null, from: StoredProvider | undefined) => {
    const there = from?.[member]
    const isSame = given === null || (from !== undefined && given === providerSecret(tenant, from, vault, member))
    if (there !== undefined && isSame) return { [member]: there }
    const context = providerSecretContext(tenant, provider.id, member)
    return given === null ? {} : { [member]: sealForProvider(given, context, vault) }
  }
  // The polling header is given for one address in the same way.
  const asked = provider.signals_url !== undefined && provider.signals_url === held?.signals_url ? held : undefined
  return ok({
    ...provider,
    ...sealed('sealed_secret', secret, held),
    ...sealed('sealed_signals_authorization', signalsAuthorization, asked),
  })
}

export const withoutSecret = ({
  sealed_secret: _secret,
  sealed_signals_authorization: _header,
  ...provider
}: StoredProvider): Provider => provider

export const shownProvider = (stored: StoredProvider): ShownProvider => ({
  ...withoutSecret(stored),
  has_secret: stored.sealed_secret !== undefined,
  ...(stored.signals_url === undefined
    ? {}
    : { has_signals_authorization: stored.sealed_signals_authorization !== undefined }),
})
