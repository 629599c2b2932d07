/**
 * The identifiers by which a client knows a person and a session: `sub`, public or pairwise (OIDC Core §8), and `sid`.
 */
import { createHmac } from 'node:crypto'
import { sectorOf } from '../registration/sector.ts'
import type { Grant } from '../grants/grant.ts'
import type { Client } from '../registration/client.ts'

/**
 * OIDC Core §8.1: the same for all clients of a sector, different for every other; without the key it can be neither
 * reversed nor made. Null for a client that knows people by their own id.
 */
export const derivePairwiseSubject = (client: Client, person: string, key: Uint8Array): string | null =>
  pairwiseName(client, person, key)

/** Pairwise as well, because the id of a session would link the subjects of two sectors. */
export const derivePairwiseSid = (client: Client, session: string, key: Uint8Array): string | null =>
  pairwiseName(client, session, key)

function pairwiseName(client: Client, name: string, key: Uint8Array): string | null {
  if (client.metadata.subject_type !== 'pairwise') return null
  // A client without a sector is a sector of its own. No host contains a space, so the two cannot collide.
  const sector = sectorOf(client.metadata) ?? ` ${client.id}`
  return createHmac('sha256', key).update(`${client.tenant}\0${sector}\0${name}`).digest('base64url')
}

/** The `sub` of this grant in every token and answer. */
export const subjectOf = ({
  pairwiseSubject,
  authentication,
}: Pick<Grant, 'pairwiseSubject' | 'authentication'>): string => pairwiseSubject ?? authentication.subject

export const sidOf = ({ pairwiseSid, authentication }: Pick<Grant, 'pairwiseSid' | 'authentication'>): string =>
  pairwiseSid ?? authentication.sessionId
