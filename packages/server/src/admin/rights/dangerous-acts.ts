/** The table of acts that need a fresh, strong sign-in (RFC 9470): they cannot be undone, or give power to others. */
import type { Collection } from '@grantor/api'
import { sameUri } from '@grantor/protocol/oauth'
import { reachableScope } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import { administers } from '../admin-rights.ts'

interface DangerousAct {
  readonly noun: string
  /** A handler of the collection, or one of its actions. */
  readonly act:
    | keyof Collection['handlers']
    | 'reset-factors'
    | 'reset-password'
    | 'remove-sign-in-method'
    | 'rotate-secret'
  readonly why: string
  /** Restricts the rule by the body, the resource before (null at its creation), and the issuer of the API. */
  when?(body: JsonObject, before: JsonObject | null, issuer: string): boolean
}

const mayAdminister = (it: JsonObject | null): boolean => reachableScope(it ?? {}).some(administers)
const isAdministrator = (it: JsonObject | null): boolean => (it?.['administrator'] ?? null) !== null

/** Anybody who reads mail at the address can choose the password, or sign in by a mailed link. */
const givesAddress = (it: JsonObject, before: JsonObject | null): boolean =>
  it['email'] !== undefined && it['email'] !== before?.['email']

/** The operator of the provider decides who may sign in. */
const letsIn = 'a provider says who people of this tenant are'

export const dangerousActs: readonly DangerousAct[] = [
  { noun: 'keys', act: 'remove', why: 'every token that the key signed is refused from then on' },
  { noun: 'tenants', act: 'remove', why: 'all that the tenant holds is gone' },
  {
    noun: 'tenants',
    act: 'update',
    why: 'a disabled tenant serves nobody',
    when: (body, before) => body['disabled'] === true && before?.['disabled'] !== true,
  },
  { noun: 'providers', act: 'create', why: letsIn },
  { noun: 'providers', act: 'insert', why: letsIn },
  { noun: 'providers', act: 'update', why: letsIn },
  { noun: 'users', act: 'create', why: 'it names an administrator', when: isAdministrator },
  {
    noun: 'users',
    act: 'update',
    why: 'it names an administrator, or changes the account of one; or passwords and links are mailed elsewhere from then on',
    when: (body, before) => isAdministrator(body) || isAdministrator(before) || givesAddress(body, before),
  },
  { noun: 'users', act: 'remove', why: 'the account and all it could be used for is gone' },
  { noun: 'users', act: 'reset-factors', why: 'a password alone signs in to the account from then on' },
  {
    noun: 'users',
    act: 'remove-sign-in-method',
    why: 'the account is left with less, and maybe with a password alone',
  },
  {
    noun: 'users',
    act: 'reset-password',
    why: 'whoever knows the new password can sign in to the account',
    when: (body) => body['password'] !== undefined,
  },
  { noun: 'clients', act: 'create', why: 'the client may administer', when: mayAdminister },
  { noun: 'clients', act: 'insert', why: 'the client may administer', when: mayAdminister },
  {
    noun: 'clients',
    act: 'update',
    why: 'the client may administer',
    when: (body, before) => mayAdminister(body) || mayAdminister(before),
  },
  {
    noun: 'clients',
    act: 'rotate-secret',
    why: 'whoever has the new secret may administer',
    when: (_body, before) => mayAdminister(before),
  },
  {
    noun: 'api-keys',
    act: 'create',
    why: 'whoever has a key for the issuer itself provisions people',
    when: ({ resource }, _before, issuer) => typeof resource === 'string' && sameUri(resource, issuer),
  },
]
