/** Makes the ID token that goes along with an issuance (OIDC Core §3.1.3.3, §12.2). */
import type { Catalogue, Client, Instant, IssueDecision, Person } from '@grantor/protocol'
import type { Hands } from './hands.ts'

export interface IdTokenOrder {
  readonly decision: IssueDecision
  readonly catalogue: Catalogue
  readonly client: Client
  readonly person: Person | null
  readonly accessToken: string
  readonly now: Instant
}

export async function mintIdToken({ decision }: IdTokenOrder, _hands: Hands): Promise<string | null> {
  if (decision.idToken === null) return null
  throw new Error('ID tokens are not minted yet')
}
