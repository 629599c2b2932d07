/** Signs whatever a test wants with the key of a deployment: what an attacker could never make, and a bug might. */
import { signer } from '../../src/keys/sign.ts'
import { sealContext } from '../../src/keys/keyring.ts'
import type { JsonObject } from '@grantor/protocol/types'
import { type Deployment, root } from './deployment.ts'

export async function signedByUs(
  { store, ports }: Pick<Deployment, 'store' | 'ports'>,
  typ: string,
  claims: JsonObject,
): Promise<string> {
  const key = (await store.keys.list(root)).find((it) => it.alg === 'RS256')
  const opened = key === undefined ? null : ports.vault.open(key.sealedPrivate, sealContext(key))
  if (key === undefined || opened === null) throw new Error('no ID token was signed yet')
  return signer(key.kid, key.alg, opened).sign(typ, claims)
}
