/** The `sub` that a client knows a person by: public or pairwise, OIDC Core §8. */
import { createHmac } from 'node:crypto'
import { sectorOf } from '../registration/sector.ts'
import type { Grant } from '../grants/grant.ts'
import type { Client } from '../registration/client.ts'

/**
 * OIDC Core §8.1: the same for all clients of a sector, different for every other, and to be traced back or made by
 * nobody without the key. Null for a client that knows people by their own id.
 */
export function derivePairwiseSubject(client: Client, person: string, key: Uint8Array): string | null {
  if (client.metadata.subject_type !== 'pairwise') return null
  // Without a sector a client shares with nobody. No host holds a space, so it cannot be taken for one.
  const sector = sectorOf(client.metadata) ?? ` ${client.id}`
  return createHmac('sha256', key).update(`${client.tenant}\0${sector}\0${person}`).digest('base64url')
}

/** As every token, answer and description of this grant says it. */
export const subjectOf = ({
  pairwiseSubject,
  authentication,
}: Pick<Grant, 'pairwiseSubject' | 'authentication'>): string => pairwiseSubject ?? authentication.subject
