/** The person whom a receiver names, by the subject that its client knows; null where there is no such person. */
import type { Client } from '@grantor/protocol/registration'
import type { NamedPerson } from '@grantor/protocol/ssf'
import type { Store } from '@grantor/store'
import type { Issuers } from '../ports/environment.ts'
import { subjectFor } from '../tokens/subject-for.ts'

export async function findNamedPerson(
  named: NamedPerson,
  client: Client,
  { issuers, store }: { readonly issuers: Issuers; readonly store: Pick<Store, 'keys' | 'users'> },
): Promise<string | null> {
  const { tenant } = client
  if (named.by === 'email') {
    const [person = null, ...others] = await store.users.byEmail(tenant, named.email, 2)
    return person?.claims['email_verified'] === true && others.length === 0 ? person.id : null
  }
  if (named.iss !== null && named.iss !== issuers.issuerOf(tenant)) return null
  const person = await store.users.byId(tenant, named.sub)
  // A client with pairwise subjects may not name people by their internal id.
  return person !== null && subjectFor(client, person.id, store) === null ? person.id : null
}
