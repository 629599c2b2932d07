/** What a client knows a person and a session by: `sub`, public or pairwise (OIDC Core §8), and `sid`. */
import { createHmac } from 'node:crypto'
import { sectorOf } from '../registration/sector.ts'
import type { Grant } from '../grants/grant.ts'
import type { Client } from '../registration/client.ts'

/**
 * OIDC Core §8.1: the same for all clients of a sector, different for every other, and to be traced back or made by
 * nobody without the key. Null for a client that knows people by their own id.
 */
export const derivePairwiseSubject = (client: Client, person: string, key: Uint8Array): string | null =>
  pairwiseName(client, person, key)

/** The id of a session would link what two sectors know of one person. */
export const derivePairwiseSid = (client: Client, session: string, key: Uint8Array): string | null =>
  pairwiseName(client, session, key)

function pairwiseName(client: Client, name: string, key: Uint8Array): string | null {
  if (client.metadata.subject_type !== 'pairwise') return null
  // Without a sector a client shares with nobody. No host holds a space, so it cannot be taken for one.
  const sector = sectorOf(client.metadata) ?? ` ${client.id}`
  return createHmac('sha256', key).update(`${client.tenant}\0${sector}\0${name}`).digest('base64url')
}

/** As every token, answer and description of this grant says it. */
export const subjectOf = ({
  pairwiseSubject,
  authentication,
}: Pick<Grant, 'pairwiseSubject' | 'authentication'>): string => pairwiseSubject ?? authentication.subject

export const sidOf = ({ pairwiseSid, authentication }: Pick<Grant, 'pairwiseSid' | 'authentication'>): string =>
  pairwiseSid ?? authentication.sessionId
