/** What there is, as a file says it. */
import {
  consoleClient,
  isMadeHere,
  metadataDocument,
  registrationDocument,
  wordOnPushing,
} from '@grantor/protocol/registration'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { Declaration } from '../declaration.ts'
import { accountsDocument, exportedBranding, exportedProviders, profileDocument } from '../difference.ts'
import { declaredUser } from '../difference-users.ts'
import { exportedWebhooks } from '../difference-webhooks.ts'
import { allClients, allGroups, allTenants, allUsers, type Everything } from './everything.ts'
import { declaredResource } from '../input.ts'
import { declaredGroup } from '../roles/group-input.ts'
import { declaredRole } from '../roles/role-input.ts'

export async function exportEverything(store: Everything): Promise<Declaration> {
  const objects = await exportTenant(store, defaultTenant as TenantId)
  const first = (await store.directory.catalogue(defaultTenant as TenantId))?.tenant
  const look = first === undefined ? {} : await exportedBranding(first, store)
  const root: Declaration = {
    ...profileDocument(first?.profile),
    ...look,
    ...accountsDocument(first?.accounts),
    ...objects,
  }
  const tenants: JsonObject[] = []
  for await (const tenant of allTenants(store)) {
    if (tenant.id === defaultTenant) continue
    const { id, name, disabledAt, registration: policy, profile } = tenant
    const disabled: JsonObject = disabledAt === null ? {} : { disabled: true }
    const registration: JsonObject = policy === undefined ? {} : { registration: registrationDocument(policy) }
    const policies = {
      ...registration,
      ...wordOnPushing(tenant),
      ...profileDocument(profile),
      ...accountsDocument(tenant.accounts),
    }
    const fields = { id, name, ...disabled, ...policies, ...(await exportedBranding(tenant, store)) }
    tenants.push({ ...fields, ...((await exportTenant(store, id)) as JsonObject) })
  }
  return tenants.length === 0 ? root : { ...root, tenants }
}

/** Everything that was declared or created by hand; clients that registered themselves are not exported. */
async function exportTenant(store: Everything, tenant: TenantId): Promise<Declaration> {
  const catalogue = await store.directory.catalogue(tenant)
  const trusted = catalogue?.tenant.trustedIssuers ?? []
  const clients: JsonObject[] = []
  for await (const client of allClients(store, tenant)) {
    if (!isMadeHere(client) || client.id === consoleClient) continue
    const disabled: JsonObject = client.disabledAt === null ? {} : { disabled: true }
    clients.push({ client_id: client.id, ...metadataDocument(client.metadata), ...disabled })
  }
  const users: JsonObject[] = []
  for await (const user of allUsers(store, tenant)) users.push(declaredUser(user))
  const groups: JsonObject[] = []
  for await (const group of allGroups(store, tenant)) groups.push(declaredGroup(group))
  return {
    resources: (catalogue?.resources ?? []).map(declaredResource),
    scopes: (catalogue?.scopes ?? []).map(({ name, description, resource, sensitivity, mode }) => ({
      name,
      description,
      ...(resource === null ? {} : { resource }),
      sensitivity,
      mode,
    })),
    ...(catalogue?.authorizationDetailTypes === undefined
      ? {}
      : { authorization_details_types: catalogue.authorizationDetailTypes.map((it) => ({ ...it })) }),
    ...(catalogue?.roles === undefined ? {} : { roles: catalogue.roles.map(declaredRole) }),
    ...(groups.length === 0 ? {} : { groups }),
    clients,
    // Stored exactly as declared.
    ...(trusted.length === 0 ? {} : { trusted_issuers: trusted as unknown as readonly JsonObject[] }),
    ...exportedProviders(catalogue?.tenant.providers),
    ...(users.length === 0 ? {} : { users }),
    ...(await exportedWebhooks(tenant, store)),
  }
}
