/** The pairwise `sub` of a person and `sid` of a session at a client; null where the client is given the plain ids. */
import { derivePairwiseSid, derivePairwiseSubject } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Store } from '@grantor/store'

/** A sub must never change: its key is derived from the database, not from the master key, which can be replaced. */
export const subjectFor = (client: Client, person: string, { keys }: Pick<Store, 'keys'>): string | null =>
  derivePairwiseSubject(client, person, keys.derived('pairwise subjects'))

export const sidFor = (client: Client, session: string, { keys }: Pick<Store, 'keys'>): string | null =>
  derivePairwiseSid(client, session, keys.derived('pairwise sessions'))
