/** The vault: AES-256-GCM under a key derived from the master key. Sealed data contains the id of its key. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Vault } from '@grantor/authority'

/** A text of 32 characters or more, from the operator or from master-key.ts. */
export interface MasterKey {
  readonly text: string
  /** For messages: the setting or file it came from. */
  readonly from: string
}

/** A key for one purpose, which reveals nothing about the keys of other purposes. */
export const deriveKey = (master: MasterKey, purpose: string, length = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', master.text, 'grantor', purpose, length))

export interface KeyedVault extends Vault {
  /** The id of the key that seals; not secret. */
  readonly keyId: string
  /** The ids of all keys that open. */
  readonly keyIds: readonly string[]
  /** The id of the key that sealed this; null where it is not sealed data. */
  keyIdOf(sealed: Uint8Array): string | null
  /** Whether one of our keys sealed it. */
  opens(sealed: Uint8Array): boolean
}

/*
 * version (1) ‖ key id (8) ‖ salt ‖ ciphertext ‖ tag (16); header and context are authenticated.
 * Version 1: the salt is a random nonce of 12 bytes, safe for 2^32 seals under one key, far more than there are signing
 * keys. Version 2, for data that strangers make us seal: a random salt of 32 bytes gives each seal a key of its own.
 */
const kept = 1
const shortLived = 2
const idEnd = 9
const tagLength = 16
const nonceLength = 12

const saltLength = (version: number | undefined): number | null =>
  version === kept ? nonceLength : version === shortLived ? 32 : null

/** The cipher's key and nonce for one seal. */
const cipherInput = (key: Buffer, header: Uint8Array): readonly [key: Uint8Array, nonce: Uint8Array] => {
  const salt = header.subarray(idEnd)
  if (header[0] === kept) return [key, salt]
  return [Buffer.from(hkdfSync('sha256', key, salt, 'grantor one seal', 32)), Buffer.alloc(nonceLength)]
}

/** Seals under `current`; opens what `current` or one of `previous` sealed, so that a master key can be replaced. */
export function openVault(current: MasterKey, previous: readonly MasterKey[] = []): KeyedVault {
  const keys = [current, ...previous].map((master) => ({
    id: deriveKey(master, 'vault id', 8),
    key: deriveKey(master, 'vault'),
  }))
  const [sealing] = keys
  if (sealing === undefined) throw new Error('a vault has at least one key')

  const sealWith = (version: number, plain: Uint8Array, context: string): Uint8Array => {
    const header = Buffer.concat([Buffer.of(version), sealing.id, randomBytes(saltLength(version) ?? 0)])
    const cipher = createCipheriv('aes-256-gcm', ...cipherInput(sealing.key, header))
    cipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  return {
    keyId: sealing.id.toString('hex'),
    keyIds: keys.map(({ id }) => id.toString('hex')),
    keyIdOf: (sealed) =>
      sealed.length >= idEnd + nonceLength + tagLength && sealed[0] === kept
        ? Buffer.from(sealed.subarray(1, idEnd)).toString('hex')
        : null,

    opens: (sealed) => sealed[0] === kept && keys.some(({ id }) => id.equals(sealed.subarray(1, idEnd))),
    isCurrent: (sealed) => sealed[0] === kept && sealing.id.equals(sealed.subarray(1, idEnd)),

    seal: (plain, context) => sealWith(kept, plain, context),
    sealShortLived: (plain, context) => sealWith(shortLived, plain, context),

    open(sealed, context) {
      const salt = saltLength(sealed[0])
      if (salt === null || sealed.length < idEnd + salt + tagLength) return null
      const header = sealed.subarray(0, idEnd + salt)
      const used = keys.find(({ id }) => id.equals(header.subarray(1, idEnd)))
      if (used === undefined) return null
      const decipher = createDecipheriv('aes-256-gcm', ...cipherInput(used.key, header), { authTagLength: tagLength })
      decipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
      decipher.setAuthTag(sealed.subarray(-tagLength))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(header.length, -tagLength)), decipher.final()])
      } catch {
        return null // Another context, or not the bytes that were sealed.
      }
    },
  }
}
