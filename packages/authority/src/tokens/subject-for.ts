/** The pairwise `sub` of a person at a client; null where the client knows people by their own id. */
import { derivePairwiseSubject } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Hands } from '../hands.ts'

/** A sub must never change: its key hangs on the database, not on the master key, which is replaced. */
export const subjectFor = (client: Client, person: string, { store }: Pick<Hands, 'store'>): string | null =>
  derivePairwiseSubject(client, person, store.keys.derived('pairwise subjects'))
