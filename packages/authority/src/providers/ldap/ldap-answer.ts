/**
 * Asks a directory about a name and a password, and returns an answer like that of any other provider; or why there is
 * none.
 */
import { byPassword } from '@grantor/protocol/authorize'
import { claimMapping, ldapFilterFor, ldapSubjectAttribute, type StoredProvider } from '@grantor/protocol/providers'
import { ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Clock } from '../../ports/environment.ts'
import type { Ldap, LdapEntry } from '../../ports/ldap.ts'
import type { Vault } from '../../ports/vault.ts'
import type { UpstreamAnswer } from '../answer.ts'
import { providerSecret } from '../client-secret.ts'

export interface LdapDependencies {
  readonly clock: Clock
  readonly ldap: Ldap
  readonly vault: Vault
}

export interface LdapSignIn {
  readonly tenant: TenantId
  readonly username: string
  readonly password: string
}

/** `groups` are the distinguished names of the person's groups, as the directory spells them. */
export interface LdapPerson extends UpstreamAnswer {
  readonly groups: readonly string[]
}

export type LdapOutcome =
  | { readonly did: 'known'; readonly answer: LdapPerson }
  /** `name` identifies the entry that was refused, if there is one. */
  | { readonly did: 'refused'; readonly name: UpstreamAnswer['name'] | null; readonly problem: string }
  | { readonly did: 'absent'; readonly problem: string }
  | { readonly did: 'unavailable'; readonly problem: string }

const memberOf = 'memberOf'
/** As long as a `sub` of any issuer may be. */
const longestSubject = 255

export async function ldapAnswer(
  provider: StoredProvider,
  { tenant, username, password }: LdapSignIn,
  { clock, ldap, vault }: LdapDependencies,
): Promise<LdapOutcome> {
  const bindPassword = providerSecret(tenant, provider, vault)
  if (bindPassword == null) return { did: 'unavailable', problem: 'secret_unopened' }
  const at = clock.now()
  const subjectAttribute = ldapSubjectAttribute(provider)
  const answer = await ldap.authenticate({
    hosts: provider.hosts ?? [],
    ca: provider.ca ?? null,
    bindDn: provider.client_id,
    bindPassword,
    base: provider.base_dn ?? '',
    filter: ldapFilterFor(provider, username),
    attributes: [...new Set([subjectAttribute, memberOf, ...Object.values(claimMapping(provider))])],
    password,
  })
  if (answer.did === 'absent' || answer.did === 'unavailable') return answer
  const subjects = answer.entry.attributes.get(subjectAttribute.toLowerCase()) ?? []
  const [upstreamSubject = ''] = subjects
  const isName = upstreamSubject !== '' && upstreamSubject.length <= longestSubject && !/\p{Cc}/u.test(upstreamSubject)
  if (subjects.length !== 1 || !isName) return { did: 'refused', name: null, problem: 'ldap_subject_attribute' }
  const name = { provider: provider.id, issuer: provider.issuer, upstreamSubject }
  if (answer.did === 'refused') return { did: 'refused', name, problem: answer.problem }
  const claims = claimsIn(answer.entry, provider)
  const groups = answer.entry.attributes.get(memberOf.toLowerCase()) ?? []
  return {
    did: 'known',
    answer: { name, strength: byPassword, at, sid: null, groups, more: () => Promise.resolve(ok(claims)) },
  }
}

/** Attribute names ignore case; an address counts as verified where the tenant trusts the directory for that. */
function claimsIn({ attributes }: LdapEntry, provider: StoredProvider): JsonObject {
  const claims = Object.values(claimMapping(provider)).flatMap((name) => {
    const value = attributes.get(name.toLowerCase())?.[0]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(claims), email_verified: provider.trust_email === true }
}
