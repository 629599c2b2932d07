/** Reads declared objects into typed wishes, and names the field of everything that is wrong with them. */
import { served } from '@grantor/protocol/documents'
import {
  canonicalUri,
  parseScope,
  reservedScopes,
  type Resource,
  type ScopeEntry,
  type Tenant,
} from '@grantor/protocol/oauth'
import { normaliseUsername } from '@grantor/protocol/people'
import {
  clientIdProblem,
  type ClientMetadata,
  clientMetadata,
  declaredSecretProblem,
  readRegistration,
} from '@grantor/protocol/registration'
import { defaultTenant, type Json, type JsonObject, type Secret, type TenantId } from '@grantor/protocol/types'
import type { Declaration } from './declaration.ts'
import type { FieldProblem } from '../refusal.ts'
import { isTenantName } from './tenant-name.ts'
import { type UserWish, userWish } from './user-input.ts'

export interface ClientWish {
  readonly id: string
  readonly metadata: ClientMetadata
  readonly disabled: boolean
  /** Absent: whatever secrets the client has stay. */
  readonly secret: Secret | null
  /** Where it stands in the file, for problems found later. */
  readonly field: string
}

/** What is wanted of one tenant. A section that the file does not have is null: nothing is said about it. */
export interface TenantWish {
  readonly tenant: TenantId
  readonly name: string | null
  readonly disabled: boolean | null
  /** Where it says something of registration: instead of all it said before. */
  readonly registration: NonNullable<Tenant['registration']> | null
  readonly resources: readonly Resource[] | null
  readonly scopes: readonly (ScopeEntry & { readonly field: string })[] | null
  readonly clients: readonly ClientWish[] | null
  readonly users: readonly UserWish[] | null
}

export type Wishes =
  | { readonly ok: true; readonly wishes: readonly TenantWish[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** What a file says of registration at the root are settings of the deployment. */
const rootTenant = { tenant: defaultTenant as TenantId, name: null, disabled: null, registration: null }

export function readWishes(file: Declaration): Wishes {
  const problems: FieldProblem[] = []
  const say = (field: string, problem: string): null => {
    problems.push({ field, problem })
    return null
  }
  onlyKnown(file as JsonObject, ['resources', 'scopes', 'users', 'clients', 'tenants'], '', say)
  const wishes = [sections(file as JsonObject, { ...rootTenant, at: '' }, say)]
  for (const [i, tenant] of objects(file.tenants, 'tenants', say)?.entries() ?? []) {
    const wish = tenantWish(tenant, `tenants[${i}]`, say)
    if (wish !== null) wishes.push(wish)
  }
  unique(
    wishes.slice(1).map((w, i) => [w.tenant, `tenants[${i}].id`]),
    say,
  )
  return problems.length === 0 ? { ok: true, wishes } : { ok: false, problems }
}

type Say = (field: string, problem: string) => null

function tenantWish(tenant: JsonObject, at: string, say: Say): TenantWish | null {
  onlyKnown(tenant, ['id', 'name', 'disabled', 'registration', 'resources', 'scopes', 'users', 'clients'], at, say)
  const id = tenant['id']
  if (typeof id !== 'string' || !isTenantName(id)) {
    return say(`${at}.id`, 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default')
  }
  const name = text(tenant['name'], `${at}.name`, say)
  const disabled = flag(tenant['disabled'], `${at}.disabled`, say)
  const registration = registrationWish(tenant['registration'], `${at}.registration`, say)
  return sections(tenant, { tenant: id as TenantId, name, disabled, registration, at: `${at}.` }, say)
}

function registrationWish(value: Json | undefined, at: string, say: Say): TenantWish['registration'] {
  if (value === undefined || value === null) return null
  const read = readRegistration(value, served)
  if (!isProblems(read)) return read
  for (const { field, problem } of read) say(field === '' ? at : `${at}.${field}`, problem)
  return null
}

const isProblems = (read: ReturnType<typeof readRegistration>): read is readonly FieldProblem[] => Array.isArray(read)

interface Place extends Pick<TenantWish, 'tenant' | 'name' | 'disabled' | 'registration'> {
  readonly at: string
}

function sections(of: JsonObject, { at, ...tenant }: Place, say: Say): TenantWish {
  const each = <T>(
    section: string,
    read: (item: JsonObject, field: string, say: Say) => T | null,
  ): readonly T[] | null =>
    objects(of[section], `${at}${section}`, say)?.flatMap(
      (item, i) => read(item, `${at}${section}[${i}]`, say) ?? [],
    ) ?? null
  const resources = each('resources', resource)
  const scopes = each('scopes', scopeEntry)
  const clients = each('clients', client)
  const users = each('users', userWish)
  const named = (section: string, key: string, values: readonly string[] | undefined) =>
    unique(
      (values ?? []).map((value, i) => [value, `${at}${section}[${i}].${key}`]),
      say,
    )
  named(
    'resources',
    'identifier',
    resources?.map((it) => canonicalUri(it.identifier) ?? it.identifier),
  )
  named(
    'scopes',
    'name',
    scopes?.map((it) => it.name),
  )
  named(
    'clients',
    'client_id',
    clients?.map((it) => it.id),
  )
  named(
    'users',
    'username',
    users?.map((it) => normaliseUsername(it.username) ?? ''),
  )
  return { ...tenant, resources, scopes, clients, users }
}

function resource(item: JsonObject, at: string, say: Say): Resource | null {
  onlyKnown(item, ['identifier', 'name', 'token_format', 'access_token_ttl'], at, say)
  const { identifier, token_format: tokenFormat = 'jwt', access_token_ttl: ttl = null } = item
  const name = text(item['name'], `${at}.name`, say)
  if (typeof identifier !== 'string' || canonicalUri(identifier) === null) {
    return say(`${at}.identifier`, 'must be an absolute URI without a fragment (RFC 8707)')
  }
  if (tokenFormat !== 'jwt' && tokenFormat !== 'opaque') return say(`${at}.token_format`, 'must be jwt or opaque')
  if (ttl !== null && !(typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 1 && ttl <= 86_400)) {
    return say(`${at}.access_token_ttl`, 'must be a whole number of seconds from 1 to 86400')
  }
  return { identifier, name: name ?? identifier, tokenFormat, accessTtl: ttl }
}

function scopeEntry(item: JsonObject, at: string, say: Say): (ScopeEntry & { readonly field: string }) | null {
  onlyKnown(item, ['name', 'description', 'resource', 'sensitivity', 'mode'], at, say)
  const { name, description, resource: of = null, sensitivity = 'normal', mode = 'default' } = item
  if (typeof name !== 'string' || parseScope(name)?.size !== 1) {
    return say(`${at}.name`, 'must be one scope name: printable ASCII without spaces, quotes and backslashes')
  }
  if (reservedScopes.has(name)) return say(`${at}.name`, 'is built in and cannot be declared')
  if (!isText(description)) return say(`${at}.description`, 'must be a text, or one text per language')
  if (of !== null && typeof of !== 'string') return say(`${at}.resource`, 'must be the identifier of a resource')
  if (sensitivity !== 'low' && sensitivity !== 'normal' && sensitivity !== 'high') {
    return say(`${at}.sensitivity`, 'must be low, normal or high')
  }
  if (mode !== 'default' && mode !== 'optional') return say(`${at}.mode`, 'must be default or optional')
  return { name, description, resource: of, sensitivity, mode, field: at }
}

function client(item: JsonObject, at: string, say: Say): ClientWish | null {
  const { client_id: id, client_secret: secret, disabled, ...metadata } = item
  const misnamed = clientIdProblem(id)
  if (typeof id !== 'string' || misnamed !== null) return say(`${at}.client_id`, misnamed ?? 'must be a text')
  const weak = secret === undefined ? null : declaredSecretProblem(secret)
  if (weak !== null) return say(`${at}.client_secret`, weak)
  const off = flag(disabled, `${at}.disabled`, say) ?? false
  const checked = clientMetadata(metadata, served)
  if (!checked.ok) {
    for (const { field, problem } of checked.problems) say(`${at}.${field}`, problem)
    return null
  }
  return { id, metadata: checked.metadata, disabled: off, secret: (secret ?? null) as Secret | null, field: at }
}

/** A section is a list of objects, or absent. */
function objects(value: Json | undefined, at: string, say: Say): readonly JsonObject[] | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return say(at, 'must be a list')
  return value.map((item: Json, i) => (isObject(item) ? item : (say(`${at}[${i}]`, 'must be an object') ?? {})))
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: Json | undefined): value is string | Record<string, string> =>
  typeof value === 'string' || (isObject(value) && Object.values(value).every((it) => typeof it === 'string'))

function text(value: Json | undefined, at: string, say: Say): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' && value.length <= 200 ? value : say(at, 'must be a text of at most 200 characters')
}

function flag(value: Json | undefined, at: string, say: Say): boolean | null {
  if (value === undefined || value === null) return null
  return typeof value === 'boolean' ? value : say(at, 'must be true or false')
}

function onlyKnown(object: JsonObject, known: readonly string[], at: string, say: Say): void {
  for (const name of Object.keys(object)) {
    if (!known.includes(name))
      say(at === '' ? name : `${at}.${name}`, `is not known here; known are ${known.join(', ')}`)
  }
}

function unique(named: readonly (readonly [value: string, field: string])[], say: Say): void {
  const seen = new Set<string>()
  for (const [value, field] of named) {
    if (seen.has(value)) say(field, 'is declared twice')
    seen.add(value)
  }
}
