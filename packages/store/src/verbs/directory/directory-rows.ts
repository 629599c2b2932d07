/** Reads tenants, resources and scopes from rows; what cannot be read is set aside, or refused by the caller. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import { type Branding, isBranding } from '@grantor/protocol/branding'
import type { ClaimMapping } from '@grantor/protocol/claims'
import type { IssuanceHook, PolicyService } from '@grantor/protocol/decisions'
import type { Resource, ScopeEntry, Tenant } from '@grantor/protocol/oauth'
import { type AccountPolicy, isAccountPolicy, type Role } from '@grantor/protocol/people'
import { isTenantProfile } from '@grantor/protocol/registration'
import { isJsonObject, type TenantId } from '@grantor/protocol/types'
import { StoreUnreadable } from '../../contract/store.ts'
import {
  deadUpTo,
  json,
  list,
  maybeInstant,
  maybeJson,
  maybeNumber,
  maybeText,
  number,
  objects,
  parsed,
  text,
} from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import type { Row } from '../verb.ts'

const registrationOff: NonNullable<Tenant['registration']> = { mode: 'off', metadataDocuments: false }

/**
 * If the settings for registration, issuers, providers or accounts cannot be read, nobody registers, signs up, is
 * trusted or signs in by them; if the profile cannot be read, the strictest applies. Everything else is served.
 */
export function tenantOf(row: Row, aside: SetAsideRows): Tenant {
  const id = text(row, 'id') as TenantId
  const read = aside.read({ kind: 'tenant', tenant: id, id }, () => ({
    registration: maybeJson(row, 'registration'),
    trustedIssuers: trustedIssuersIn(row),
    providers: providersIn(row),
    profile: profileIn(row),
    branding: brandingIn(row),
    accounts: accountsIn(row),
  }))
  const trustedIssuers = read?.trustedIssuers ?? []
  const providers = read?.providers ?? []
  const branding = read?.branding ?? null
  const accounts = read?.accounts ?? null
  const requirePushed = maybeNumber(row, 'require_pushed')
  const profile = maybeText(row, 'profile')
  const registration = (read === null ? registrationOff : read.registration) as Tenant['registration'] | null
  return {
    id,
    name: text(row, 'name'),
    revision: number(row, 'revision'),
    disabledAt: maybeInstant(row, 'disabled_at'),
    ...(registration == null ? {} : { registration }),
    ...(trustedIssuers.length === 0 ? {} : { trustedIssuers }),
    ...(providers.length === 0 ? {} : { providers }),
    ...(requirePushed === null ? {} : { requirePushed: requirePushed === 1 }),
    ...(profile === null ? {} : { profile: isTenantProfile(profile) ? profile : 'fapi2-message-signing' }),
    ...(branding === null ? {} : { branding }),
    ...(accounts === null ? {} : { accounts }),
    ...deadUpTo(row),
  }
}

function profileIn(row: Row): Tenant['profile'] | null {
  const profile = maybeText(row, 'profile')
  if (profile !== null && !isTenantProfile(profile)) throw new StoreUnreadable('the profile is none that is known')
  return profile
}

function brandingIn(row: Row): Branding | null {
  const branding = maybeJson(row, 'branding')
  if (branding !== null && !isBranding(branding)) throw new StoreUnreadable('the branding is none that can be shown')
  return branding
}

function accountsIn(row: Row): AccountPolicy | null {
  const accounts = maybeJson(row, 'accounts')
  if (accounts !== null && !isAccountPolicy(accounts)) throw new StoreUnreadable('the word on accounts is none')
  return maybeNumber(row, 'sign_in_links') === 1 ? { ...accounts, sign_in_links: true } : accounts
}

function trustedIssuersIn(row: Row): NonNullable<Tenant['trustedIssuers']> {
  const value = row['trusted_issuers'] == null ? [] : parsed(row, 'trusted_issuers')
  if (!Array.isArray(value) || !value.every((it) => isJsonObject(it) && typeof it['issuer'] === 'string'))
    throw new StoreUnreadable('the trusted issuers are no list')
  return value as NonNullable<Tenant['trustedIssuers']>
}

function providersIn(row: Row): NonNullable<Tenant['providers']> {
  const value = row['providers'] == null ? [] : parsed(row, 'providers')
  const isProvider = (it: unknown): boolean =>
    isJsonObject(it) && ['id', 'kind', 'name', 'issuer', 'client_id'].every((name) => typeof it[name] === 'string')
  if (!Array.isArray(value) || !value.every(isProvider)) throw new StoreUnreadable('the providers are no list')
  return value as NonNullable<Tenant['providers']>
}

export const resourceOf = (row: Row): Resource => ({
  identifier: text(row, 'identifier'),
  name: text(row, 'name'),
  tokenFormat: text(row, 'token_format') as Resource['tokenFormat'],
  tokenTyp: text(row, 'token_typ') as Resource['tokenTyp'],
  accessTtl: maybeNumber(row, 'access_ttl'),
  ...(number(row, 'status_list') === 1 ? { statusList: true } : {}),
  ...(number(row, 'require_roles') === 1 ? { requireRoles: true } : {}),
  ...(row['claim_mappings'] == null
    ? {}
    : { claimMappings: objects(row, 'claim_mappings') as readonly ClaimMapping[] }),
  ...(row['policy_service'] == null ? {} : { policyService: json(row, 'policy_service') as PolicyService }),
  ...(row['issuance_hook'] == null ? {} : { issuanceHook: json(row, 'issuance_hook') as IssuanceHook }),
})

export const roleOf = (row: Row): Role => ({
  name: text(row, 'name'),
  description: text(row, 'description'),
  resource: text(row, 'resource'),
  scopes: list(row, 'scopes'),
})

export const scopeOf = (row: Row): ScopeEntry => ({
  name: text(row, 'name'),
  description: descriptionOf(row),
  resource: maybeText(row, 'resource'),
  sensitivity: text(row, 'sensitivity') as ScopeEntry['sensitivity'],
  mode: text(row, 'mode') as ScopeEntry['mode'],
})

export const detailTypeOf = (row: Row): AuthorizationDetailType => ({
  type: text(row, 'type'),
  resources: list(row, 'resources'),
  schema: json(row, 'schema'),
  description: descriptionOf(row),
})

function descriptionOf(row: Row): ScopeEntry['description'] {
  const value = parsed(row, 'description')
  const words = isJsonObject(value) ? Object.values(value) : [value]
  if (!words.every((word) => typeof word === 'string')) throw new StoreUnreadable('the description is no text')
  return value as ScopeEntry['description']
}
