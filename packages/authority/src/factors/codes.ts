/** Codes that a person types: those of an authenticator app (RFC 6238), and recovery codes. */
import {
  matchingStep,
  normalRecoveryCode,
  type Person,
  recoveryCode,
  recoveryCodeCount,
  totp,
} from '@grantor/protocol/people'
import type { Policy } from '@grantor/protocol/oauth'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { newEvent } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import type { Visitor } from '../interact/visitor.ts'
import { KeyUnopened } from '../keys/keyring.ts'

export interface CodeDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'factors'>
}

/** The context of the seal: one person's secret does not open as another's. */
export const totpContext = (tenant: TenantId, subject: string): string => `totp ${tenant} ${subject}`

/** Whether the code is right and was not used before; a right code is then used up. */
export async function useOtp({ tenant, id }: Person, code: string, deps: CodeDependencies): Promise<boolean> {
  const held = await deps.store.factors.totp(tenant, id)
  if (held === null) return false
  const context = totpContext(tenant, id)
  const secret = deps.vault.open(held.sealedSecret, context)
  if (secret === null) throw new KeyUnopened(`neither the current nor the previous master key opens the ${context}`)
  const step = matchingStep(code, { secret, lastStep: held.lastStep }, deps.clock.now())
  if (step === null) return false
  const use = { tenant, subject: id, step, createdAt: held.createdAt, at: deps.clock.now() }
  return (await deps.store.factors.useTotp(use)) === 'used'
}

export async function useRecoveryCode(
  { tenant, id }: Person,
  { typed, visitor }: { readonly typed: string; readonly visitor: Visitor },
  deps: CodeDependencies,
): Promise<boolean> {
  const code = normalRecoveryCode(typed)
  if (code === null) return false
  const { recoveryCodes } = await deps.store.factors.of(tenant, id)
  const handle = recoveryHandle({ tenant, id }, code, deps.ids)
  const about = { actor: { kind: 'user' as const, id }, subject: id, data: { left: Math.max(0, recoveryCodes - 1) } }
  const events = [newEvent(deps, visitor, 'factor.recovered', about)]
  return (await deps.store.factors.useRecoveryCode({ tenant, subject: id, handle }, events)) === 'used'
}

export interface RecoveryCodes {
  readonly codes: readonly string[]
  readonly handles: readonly Handle[]
}

export function newRecoveryCodes(person: Person, ids: Ids): RecoveryCodes {
  const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCode(ids.salt()))
  return { codes, handles: codes.map((code) => recoveryHandle(person, normalRecoveryCode(code) ?? code, ids)) }
}

/** The hash includes the owner, so that equal codes of two people do not have equal hashes. */
const recoveryHandle = ({ tenant, id }: Pick<Person, 'tenant' | 'id'>, code: string, ids: Ids): Handle =>
  ids.handleOf(`recovery ${tenant} ${id} ${code}`)

/** A secret that is not stored yet: it is sealed into the form of the page that shows it. */
export interface TotpOffer {
  readonly secret: Uint8Array
  readonly sealed: string
}

export function offerTotp({ tenant, id }: Person, deps: CodeDependencies): TotpOffer {
  const secret = deps.ids.salt().subarray(0, totp.secretBytes)
  const times = Buffer.alloc(8)
  times.writeBigUInt64BE(BigInt(deps.clock.now()))
  const sealed = deps.vault.seal(Buffer.concat([times, secret]), offerContext(tenant, id))
  return { secret, sealed: Buffer.from(sealed).toString('base64url') }
}

const offerContext = (tenant: TenantId, subject: string): string => `totp offer ${tenant} ${subject}`

/** The secret that was offered to this person, valid as long as an interaction; null for anything else. */
export function offeredTotp({ tenant, id }: Person, sealed: string, deps: CodeDependencies): TotpOffer | null {
  const opened = deps.vault.open(Buffer.from(sealed.slice(0, 1024), 'base64url'), offerContext(tenant, id))
  if (opened === null || opened.length !== 8 + totp.secretBytes) return null
  const offeredAt = Number(Buffer.from(opened).readBigUInt64BE()) as Instant
  if (Math.abs(deps.clock.now() - offeredAt) > deps.policy.interactionTtl * 1000) return null
  return { secret: opened.subarray(8), sealed }
}
