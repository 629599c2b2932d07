/** Signing in with a password that a directory keeps: the first directory that knows the name decides. */
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { StoredProvider } from '@grantor/protocol/providers'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Visitor } from '../../interact/visitor.ts'
import { personBehind, type PersonBehindDependencies, problemName } from '../person-behind.ts'
import { directoriesOf } from './directories-of.ts'
import { ldapAnswer, type LdapDependencies, type LdapPerson } from './ldap-answer.ts'

export type LdapSignInDependencies = LdapDependencies &
  PersonBehindDependencies & {
    readonly store: Pick<Store, 'identities' | 'users'>
  }

export type LdapProof =
  | {
      readonly did: 'proven'
      readonly person: Person
      readonly answer: LdapPerson
      readonly provider: StoredProvider
    }
  /** `subject` and `data` are for the log; the person sees the same message as for every failure. */
  | { readonly did: 'rejected'; readonly subject: string | null; readonly data: JsonObject }
  | { readonly did: 'unavailable'; readonly provider: StoredProvider; readonly data: JsonObject }

interface TypedPassword {
  readonly catalogue: Catalogue | null
  readonly username: string
  readonly password: string
}

/** Null where no directory is responsible for this name. */
export async function proofByDirectory(
  by: TypedPassword,
  visitor: Visitor,
  deps: LdapSignInDependencies,
): Promise<LdapProof | null> {
  const { tenant } = visitor
  const username = by.username.trim()
  const directories = username === '' ? [] : await directoriesOf(username, { tenant, catalogue: by.catalogue }, deps)
  if (directories.length === 0) return null
  let unknown: JsonObject = {}
  for (const provider of directories) {
    const data = (problem: string): JsonObject => ({ provider: provider.id, problem })
    // RFC 4513 §5.1.2: a bind without a password succeeds as an anonymous bind.
    if (by.password === '') return { did: 'rejected', subject: null, data: data('ldap_password_empty') }
    const outcome = await ldapAnswer(provider, { tenant, username, password: by.password }, deps)
    switch (outcome.did) {
      case 'unavailable':
        return { did: 'unavailable', provider, data: data(outcome.problem) }
      case 'absent':
        unknown = data(outcome.problem)
        continue
      case 'refused': {
        const known = outcome.name === null ? null : await deps.store.identities.find(tenant, outcome.name)
        return { did: 'rejected', subject: known?.subject ?? null, data: data(outcome.problem) }
      }
      case 'known': {
        const { answer } = outcome
        const person = await personBehind({ provider, answer, visitor }, deps)
        if (person.kind === 'error') return { did: 'rejected', subject: null, data: data(problemName(person.error)) }
        return { did: 'proven', person: person.value, answer, provider }
      }
    }
  }
  return { did: 'rejected', subject: null, data: unknown }
}
