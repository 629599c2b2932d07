/** Keys that are known beforehand: tests, and a server that validates its own tokens. */
import type { VerificationKey } from '@grantor/protocol/jose'
import type { JsonObject } from '@grantor/protocol/types'
import { keysIn, succession } from './key-set.ts'
import type { KeySource, Sought } from './key-source.ts'

export class GivenKeys implements KeySource {
  #keys: readonly VerificationKey[]

  constructor(jwks: JsonObject) {
    this.#keys = keysIn(jwks) ?? []
  }

  replace(jwks: JsonObject): void {
    this.#keys = succession(this.#keys, keysIn(jwks) ?? [])
  }

  find(kid: string | undefined, alg: string): VerificationKey | undefined {
    return this.#keys.find((key) => key.present && key.kid === kid && key.algs.includes(alg))
  }

  has(kid: string): boolean {
    return this.#keys.some((key) => key.present && key.kid === kid)
  }

  seek(kid: string | undefined, alg: string): Promise<Sought> {
    return Promise.resolve(this.find(kid, alg) ?? 'absent')
  }

  ready = (): boolean => true
  refresh = (): Promise<boolean> => Promise.resolve(true)
  close = (): void => {}
  distrust = (): void => {}

  drop(kid: string): void {
    for (const key of this.#keys) if (key.kid === kid) key.present = false
  }
}
