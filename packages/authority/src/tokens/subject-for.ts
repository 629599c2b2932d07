/** The pairwise `sub` of a person and `sid` of a session at a client; null where it knows both by their own ids. */
import { derivePairwiseSid, derivePairwiseSubject } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Store } from '@grantor/store'

/** A sub must never change: its key hangs on the database, not on the master key, which is replaced. */
export const subjectFor = (client: Client, person: string, { keys }: Pick<Store, 'keys'>): string | null =>
  derivePairwiseSubject(client, person, keys.derived('pairwise subjects'))

export const sidFor = (client: Client, session: string, { keys }: Pick<Store, 'keys'>): string | null =>
  derivePairwiseSid(client, session, keys.derived('pairwise sessions'))
