/** The atomic application of declared changes to tenants, their resources and scopes. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import type { Resource, ScopeEntry } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { DirectoryChange } from '../../contract/directory/directory.ts'
import { eraseClient, insertClient, insertSecret } from '../clients/clients.ts'
import type { Entry } from '../entry.ts'
import { endingWhatIsLost } from '../people/lost-roles.ts'
import { endCodesOfClient } from '../tokens/ended-grants.ts'
import { endLists } from '../tokens/status-lists.ts'
import { asMaybeText, asText, text } from '../row.ts'
import { changed, first, log, run, sql, undo, type Verb } from '../verb.ts'
import { applyPeople, applyReceivers } from './apply-holdings.ts'
import { putBranding } from './branding.ts'
import { reviseAll, tickOf } from './clock.ts'
import { changeGroups, changeRoles, whoMayLose } from './declared-roles.ts'

export type Change = Omit<DirectoryChange, 'events'>

export function* apply(changes: readonly Change[], entries: readonly Entry[]): Verb<'applied' | 'changed-meanwhile'> {
  for (const change of changes) {
    const done = yield* applyOne(change)
    if (!done) {
      yield* undo()
      return 'changed-meanwhile'
    }
  }
  yield* log(entries)
  return 'applied'
}

function* applyOne(change: Change): Verb<boolean> {
  const { tenant } = change
  const clock = yield* tickOf(tenant)
  if (!(yield* claimTenant(change, clock))) return false
  const losing = whoMayLose(change)
  const rest = changeTenant(change, clock)
  return losing.length === 0 ? yield* rest : yield* endingWhatIsLost(change, losing, rest)
}

function* changeTenant(change: Change, clock: number): Verb<boolean> {
  const { tenant } = change
  yield* putBranding(change)
  if (change.accounts !== undefined) yield* putAccounts(tenant, change.accounts)
  for (const it of change.dropResources) {
    yield* run(sql`delete from resources where tenant = ${tenant} and identifier = ${it}`)
    yield* run(sql`delete from api_keys where tenant = ${tenant} and resource = ${it}`)
  }
  for (const it of change.dropScopes) yield* run(sql`delete from scopes where tenant = ${tenant} and name = ${it}`)
  for (const it of change.putResources) yield* putResource(tenant, it)
  for (const it of change.putScopes) yield* putScope(tenant, it)
  yield* changeRoles(change)
  for (const it of change.dropDetailTypes ?? [])
    yield* run(sql`delete from authorization_details_types where tenant = ${tenant} and type = ${it}`)
  for (const it of change.putDetailTypes ?? []) yield* putDetailType(tenant, it)
  for (const it of change.dropClients) {
    const held = yield* first(
      sql`select id from clients where tenant = ${tenant} and id = ${it.id} and version = ${it.version}`,
    )
    if (held === null || !(yield* eraseClient(tenant, it.id, change.at))) return false
  }
  for (const it of change.replaceClients) if (!(yield* replaceClient(change, it, clock))) return false
  for (const it of change.createClients) if ((yield* insertClient({ ...it, tenant }, clock)) !== 'created') return false
  return (yield* changeGroups(change)) && (yield* applyPeople(change)) && (yield* applyReceivers(change))
}

/** The tenant's row decides: of two changes planned on one revision, the second finds another revision here. */
function* claimTenant(change: Change, clock: number): Verb<boolean> {
  const { tenant, expected, at } = change
  if (expected === null) {
    return yield* changed(sql`insert into tenants (id, name, revision, created_at, disabled_at, registration,
        trusted_issuers, require_pushed, profile, providers)
      values (${tenant}, ${change.name ?? tenant}, ${clock}, ${at}, ${change.disabledAt ?? null},
        ${asMaybeText(change.registration ?? null)}, ${asMaybeText(change.trustedIssuers ?? null)},
        ${asFlag(change.requirePushed)}, ${change.profile ?? null}, ${asMaybeText(change.providers ?? null)})
      on conflict (id) do nothing`)
  }
  const held = yield* changed(
    sql`update tenants set revision = ${clock} where id = ${tenant} and revision = ${expected}`,
  )
  if (!held) return false
  if (change.name !== undefined) yield* run(sql`update tenants set name = ${change.name} where id = ${tenant}`)
  if (change.disabledAt !== undefined) {
    yield* run(sql`update tenants set disabled_at = ${change.disabledAt} where id = ${tenant}`)
  }
  if (change.registration !== undefined) {
    yield* run(sql`update tenants set registration = ${asMaybeText(change.registration)} where id = ${tenant}`)
  }
  if (change.trustedIssuers !== undefined) {
    yield* run(sql`update tenants set trusted_issuers = ${asText(change.trustedIssuers)} where id = ${tenant}`)
  }
  if (change.providers !== undefined) {
    yield* run(sql`update tenants set providers = ${asText(change.providers)} where id = ${tenant}`)
  }
  if (change.requirePushed !== undefined) {
    yield* run(sql`update tenants set require_pushed = ${asFlag(change.requirePushed)} where id = ${tenant}`)
  }
  if (change.profile !== undefined) yield* run(sql`update tenants set profile = ${change.profile} where id = ${tenant}`)
  return true
}

/**
 * Settings that release 0.2.0 does not know are stored in a column of their own: otherwise it would set the whole
 * tenant aside.
 */
function* putAccounts(tenant: TenantId, accounts: NonNullable<Change['accounts']> | null): Verb<void> {
  const { sign_in_links: links, ...older } = accounts ?? {}
  const readable = Object.keys(older).length === 0 ? null : older
  yield* run(sql`update tenants set accounts = ${asMaybeText(readable)}, sign_in_links = ${links === true ? 1 : null}
    where id = ${tenant}`)
}

const asFlag = (value: boolean | undefined): number | null => (value === undefined ? null : value ? 1 : 0)

function* putResource(tenant: TenantId, it: Resource): Verb<void> {
  yield* run(sql`insert into resources (tenant, identifier, name, token_format, token_typ, access_ttl, status_list,
      require_roles, claim_mappings, policy_service, issuance_hook)
    values (${tenant}, ${it.identifier}, ${it.name}, ${it.tokenFormat}, ${it.tokenTyp}, ${it.accessTtl},
      ${it.statusList === true ? 1 : 0}, ${it.requireRoles === true ? 1 : 0},
      ${asMaybeText(it.claimMappings ?? null)}, ${asMaybeText(it.policyService ?? null)},
      ${asMaybeText(it.issuanceHook ?? null)})
    on conflict (tenant, identifier) do update
    set name = excluded.name, token_format = excluded.token_format, token_typ = excluded.token_typ,
      access_ttl = excluded.access_ttl, status_list = excluded.status_list,
      require_roles = excluded.require_roles, claim_mappings = excluded.claim_mappings,
      policy_service = excluded.policy_service, issuance_hook = excluded.issuance_hook`)
}

function* putScope(tenant: TenantId, it: ScopeEntry): Verb<void> {
  yield* run(sql`insert into scopes (tenant, name, description, resource, sensitivity, mode)
    values (${tenant}, ${it.name}, ${asText(it.description)}, ${it.resource}, ${it.sensitivity}, ${it.mode})
    on conflict (tenant, name) do update set description = excluded.description, resource = excluded.resource,
    sensitivity = excluded.sensitivity, mode = excluded.mode`)
}

function* putDetailType(tenant: TenantId, it: AuthorizationDetailType): Verb<void> {
  yield* run(sql`insert into authorization_details_types (tenant, type, resources, schema, description)
    values (${tenant}, ${it.type}, ${asText(it.resources)}, ${asText(it.schema)}, ${asText(it.description)})
    on conflict (tenant, type) do update set resources = excluded.resources, schema = excluded.schema,
    description = excluded.description`)
}

function* replaceClient(change: Change, it: Change['replaceClients'][number], clock: number): Verb<boolean> {
  const { tenant, at } = change
  const held = yield* changed(sql`update clients
    set metadata = ${asText(it.metadata)}, disabled_at = ${it.disabledAt}, updated_at = ${at}, version = ${clock}
    where tenant = ${tenant} and id = ${it.id} and version = ${it.version}`)
  if (!held) return false
  yield* endCodesOfClient({ tenant, id: it.id, metadata: it.metadata, disabled: it.disabledAt !== null, at })
  if (it.secrets === null) return true
  yield* run(sql`delete from client_secrets where tenant = ${tenant} and client = ${it.id}`)
  for (const secret of it.secrets) yield* insertSecret(tenant, it.id, secret)
  return true
}

export function* epoch(): Verb<string> {
  const row = yield* first(sql`select epoch from deployment where one = 1`)
  if (row === null) throw new Error('the deployment row is missing')
  return text(row, 'epoch')
}

export function* beginNewEpoch(name: string, at: Instant, entries: readonly Entry[]): Verb<string> {
  // Decisions of every tenant must be made again.
  yield* reviseAll()
  yield* run(sql`update deployment set epoch = ${name}, epoch_at = ${at} where one = 1`)
  yield* run(sql`update grants set revoked_at = ${at} where revoked_at is null`)
  yield* run(sql`delete from opaque_tokens`)
  yield* endLists(at)
  yield* run(sql`delete from registration_tokens`)
  yield* run(sql`delete from api_keys`)
  yield* run(sql`update sessions set ended_at = ${at} where ended_at is null`)
  yield* run(sql`update interactions set closed_at = ${at} where closed_at is null`)
  yield* run(sql`delete from remembered_browsers`)
  yield* run(sql`delete from passkey_challenges`)
  yield* run(sql`delete from provider_visits`)
  yield* run(sql`update device_codes set expires_at = ${at} where expires_at > ${at}`)
  yield* run(sql`delete from pushed_requests`)
  yield* run(sql`delete from mails`)
  yield* run(sql`delete from mailed_links`)
  yield* run(sql`delete from sign_in_links`)
  yield* run(sql`delete from invitations`)
  yield* run(sql`update mail_cursor set pos = -1`)
  yield* log(entries)
  return name
}
