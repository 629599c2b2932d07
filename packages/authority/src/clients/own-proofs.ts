/** DPoP at the resources of the server itself (RFC 9449 §7): the clock, the used proofs and the nonces of all nodes. */
import { type DpopNonces, proofAlgorithms } from '@grantor/protocol/dpop'
import type { Policy } from '@grantor/protocol/oauth'
import { profileOf } from '@grantor/protocol/registration'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import { noncesOf } from './possession.ts'

export interface OwnProofs {
  now(): Instant
  /** True for the first use of a proof, false for every later one, on whatever node. */
  use(tenant: TenantId, proofId: string, until: Instant): Promise<boolean>
  /** Null where no nonce is required. */
  nonces(tenant: TenantId): DpopNonces | null
  /** FAPI 2.0 §5.4.1: the algorithms with which a proof of that client may be signed. */
  algs(tenant: TenantId, clientId: string): Promise<readonly string[]>
}

export interface OwnProofDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly directory: Pick<Directory, 'client'>
  readonly ids: Pick<Ids, 'handleOf'>
  readonly policy: Pick<Policy, 'dpopNonce'>
  readonly store: Pick<Store, 'keys' | 'tokens'>
}

export const openOwnProofs = ({ clock, directory, ids, policy, store }: OwnProofDependencies): OwnProofs => ({
  now: () => clock.now(),
  use: (tenant, proofId, until) => store.tokens.useProof(tenant, { handle: ids.handleOf(proofId), expiresAt: until }),
  nonces: (tenant) => (policy.dpopNonce === 'required' ? noncesOf(tenant, store) : null),
  async algs(tenant, clientId) {
    const client = await directory.client(tenant, clientId)
    return (client === null ? null : profileOf(client).algs) ?? proofAlgorithms
  },
})
