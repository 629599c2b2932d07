/**
 * Replaces the master key under everything that it seals. Works in batches, beside running nodes: each secret is
 * replaced only if it was not changed meanwhile, finished batches stay finished, and running it again continues.
 */
import type { Actor } from '@grantor/protocol/events'
import type { Tenant } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import type { QueuedMail, ReceiverRow, Resealed, Store, TotpRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { totpContext } from '../factors/codes.ts'
import { webhookSecretContext } from '../webhooks/webhook-delivery.ts'
import { mailContext } from '../mail/queued-mail.ts'
import type { Vault } from '../ports/vault.ts'
import { KeyUnopened, sealContext } from '../keys/keyring.ts'
import { providerSecretContext, type SealedOfProvider, sealedOfProvider } from '../providers/client-secret.ts'
import { nothingElse } from './catalogue/directory-change.ts'
import type { AdminResult } from './result.ts'

export interface RewrapDependencies extends EventDependencies {
  readonly vault: Vault
  readonly store: Pick<Store, 'keys' | 'directory' | 'factors' | 'eventReceivers' | 'mails' | 'events'>
}

/** The context under which the key of the log is sealed. */
export const auditKeyContext = 'audit-key'

const pageSize = 200
/**
 * A node that still seals with the old master key may add new secrets under it; after this many passes the caller is
 * told so.
 */
const maxPasses = 5

export async function rewrap(by: Actor, deps: RewrapDependencies): Promise<AdminResult<number>> {
  let count = 0
  for (let pass = 0; pass < maxPasses; pass++) {
    const { found, replaced } = await rewrapOnce(deps)
    count += replaced
    if (found > 0) continue
    if (count > 0) await recordRewrap(by, count, deps)
    return ok(count)
  }
  return err({
    reason: 'conflict',
    what: 'keys keep appearing under the previous master key: give every node the current one first',
  })
}

interface RewrapPass {
  /** How many secrets were not under the current key when they were read. */
  readonly found: number
  /** How many of those are now. */
  readonly replaced: number
}

async function rewrapOnce(deps: RewrapDependencies): Promise<RewrapPass> {
  const { store } = deps
  let found = 0
  let replaced = 0
  for (let after: TenantId | null = null; ;) {
    const page: readonly Tenant[] = await store.directory.tenants({ after, limit: pageSize })
    const old: Resealed[] = []
    for (const { id } of page)
      old.push(...(await oldKeys(id, deps)), ...(await oldTotps(id, deps)), ...(await oldReceiverSecrets(id, deps)))
    found += old.length
    for (const tenant of page) {
      const provided = await rewrapProviders(tenant, deps)
      const mailed = await rewrapMails(tenant.id, deps)
      found += provided.found + mailed.found
      replaced += provided.replaced + mailed.replaced
    }
    if (old.length > 0) replaced += (await store.keys.rewrap(old, [])) === 'rewrapped' ? old.length : 0
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) break
  }
  // The key of the log comes last: while it is under the previous master key, no node starts without that master key.
  const sealed = await store.keys.auditKey()
  if (found > 0 || deps.vault.isCurrent(sealed)) return { found, replaced }
  const to = resealed(sealed, auditKeyContext, deps)
  const answer = await store.keys.rewrap([{ which: 'audit-key', from: sealed, to }], [])
  return { found: 1, replaced: answer === 'rewrapped' ? 1 : 0 }
}

async function oldKeys(tenant: TenantId, deps: RewrapDependencies): Promise<readonly Resealed[]> {
  const keys = await deps.store.keys.list(tenant)
  return keys
    .filter((key) => !deps.vault.isCurrent(key.sealedPrivate))
    .map((key) => ({
      which: { tenant, kid: key.kid },
      from: key.sealedPrivate,
      to: resealed(key.sealedPrivate, sealContext(key), deps),
    }))
}

/** The secrets of authenticator apps. */
async function oldTotps(tenant: TenantId, deps: RewrapDependencies): Promise<readonly Resealed[]> {
  const old: Resealed[] = []
  for (let after = ''; ;) {
    const page: readonly TotpRow[] = await deps.store.factors.totps(tenant, { after, limit: pageSize })
    for (const { subject, sealedSecret: from } of page) {
      if (deps.vault.isCurrent(from)) continue
      old.push({ which: { tenant, totpOf: subject }, from, to: resealed(from, totpContext(tenant, subject), deps) })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return old
    after = last.subject
  }
}

/** The secrets that sign webhook messages, and the headers that streams of shared signals send to their receivers. */
async function oldReceiverSecrets(tenant: TenantId, deps: RewrapDependencies): Promise<readonly Resealed[]> {
  const old: Resealed[] = []
  for (const kind of ['webhook', 'stream'] as const) {
    for (let after: string | null = null; ;) {
      const page: readonly ReceiverRow[] = await deps.store.eventReceivers.list(tenant, {
        kind,
        after,
        limit: pageSize,
      })
      for (const it of page) {
        const held = { current: it.sealedSecret, previous: it.previous?.sealed ?? null } as const
        for (const secret of ['current', 'previous'] as const) {
          const from = held[secret]
          if (from === null || deps.vault.isCurrent(from)) continue
          const to = resealed(from, webhookSecretContext(it), deps)
          old.push({ which: { tenant, receiver: it.id, secret }, from, to })
        }
      }
      after = page.at(-1)?.id ?? null
      if (page.length < pageSize) break
    }
  }
  return old
}

/** The secrets for providers: they are part of the tenant's own row, and are replaced all or none. */
async function rewrapProviders(
  { id: tenant, providers = [], revision }: Tenant,
  deps: RewrapDependencies,
): Promise<RewrapPass> {
  let found = 0
  const members = Object.keys(sealedOfProvider) as SealedOfProvider[]
  const after = providers.map((it) => {
    const anew = members.flatMap((member) => {
      const sealed = Buffer.from(it[member] ?? '', 'base64url')
      if (it[member] === undefined || deps.vault.isCurrent(sealed)) return []
      const to = resealed(sealed, providerSecretContext(tenant, it.id, member), deps)
      return [[member, Buffer.from(to).toString('base64url')] as const]
    })
    found += anew.length
    return anew.length === 0 ? it : { ...it, ...Object.fromEntries(anew) }
  })
  if (found === 0) return { found, replaced: 0 }
  const change = { ...nothingElse, tenant, expected: revision, providers: after, at: deps.clock.now(), events: [] }
  return { found, replaced: (await deps.store.directory.apply([change])) === 'applied' ? found : 0 }
}

/**
 * Seals the queued mails anew, each by itself, because a mail may be sent meanwhile. A mail that no key opens is left
 * as it is, and given up when it is due.
 */
async function rewrapMails(tenant: TenantId, deps: RewrapDependencies): Promise<RewrapPass> {
  const { keys, mails } = deps.store
  let found = 0
  let replaced = 0
  for (let before: string | null = null; ;) {
    const page: readonly QueuedMail[] = await mails.search(tenant, { before, limit: pageSize })
    for (const mail of page) {
      const { id, sealed: from } = mail
      if (deps.vault.isCurrent(from) || deps.vault.open(from, mailContext(mail)) === null) continue
      found += 1
      const to = resealed(from, mailContext(mail), deps)
      const answer = await keys.rewrap([{ which: { tenant, mail: id }, from, to }], [])
      replaced += answer === 'rewrapped' ? 1 : 0
    }
    before = page.at(-1)?.id ?? null
    if (page.length < pageSize) return { found, replaced }
  }
}

function resealed(sealed: Uint8Array, context: string, { vault }: RewrapDependencies): Uint8Array {
  const plain = vault.open(sealed, context)
  if (plain === null) throw new KeyUnopened(`neither the current nor the previous master key opens the ${context}`)
  return vault.seal(plain, context)
}

const recordRewrap = (by: Actor, count: number, deps: RewrapDependencies): Promise<void> =>
  deps.store.events.append([
    newEvent(deps, localOrigin(defaultTenant as TenantId), 'admin.master_key_rewrapped', {
      actor: by,
      data: { count },
    }),
  ])
