/** The pairwise `sub` of a person at a client; null where the client knows people by their own id. */
import { derivePairwiseSubject } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Store } from '@grantor/store'

/** A sub must never change: its key hangs on the database, not on the master key, which is replaced. */
export const subjectFor = (client: Client, person: string, { keys }: Pick<Store, 'keys'>): string | null =>
  derivePairwiseSubject(client, person, keys.derived('pairwise subjects'))
