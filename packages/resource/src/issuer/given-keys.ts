/** Keys that are known beforehand, for tests and for a server that validates its own tokens. */
import type { VerificationKey } from '@grantor/protocol/jose'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { importKeySet, replaceKeys } from './key-set.ts'
import type { KeySource, KeyLookup } from './key-source.ts'

export class GivenKeys implements KeySource {
  #keys: readonly VerificationKey[]

  constructor(jwks: JsonObject) {
    this.#keys = importKeySet(jwks) ?? []
  }

  replace(jwks: JsonObject): void {
    this.#keys = replaceKeys(this.#keys, importKeySet(jwks) ?? [])
  }

  find(kid: string | undefined, alg: string): VerificationKey | undefined {
    return this.#keys.find((key) => key.present && key.kid === kid && key.algs.includes(alg))
  }

  has(kid: string): boolean {
    return this.#keys.some((key) => key.present && key.kid === kid)
  }

  seek(kid: string | undefined, alg: string): Promise<KeyLookup> {
    const key = this.find(kid, alg)
    return Promise.resolve(key === undefined ? err('absent') : ok(key))
  }

  ready = (): boolean => true
  refresh = (): Promise<boolean> => Promise.resolve(true)
  close = (): void => {}
  distrust = (): void => {}

  drop(kid: string): void {
    for (const key of this.#keys) if (key.kid === kid) key.present = false
  }
}
