/** An authenticator in software, for tests: makes passkeys and answers challenges, honestly or as it is told. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { JsonObject } from '@grantor/protocol/types'

/** WebAuthn §5.8.4, and what it was called before. */
export const transports: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly userVerified?: boolean
  readonly userPresent?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly id?: string
  /** Of an enrolment: what the attestation claims to be. */
  readonly attestation?: { readonly fmt: string; readonly statement: Buffer }
  /** Whether it says that it can be synced, and is; of a sign-in: other than when it was made. */
  readonly synced?: boolean
  /** Says that it is synced and cannot be. */
  readonly backedUpOnly?: boolean
  /** Signs with another key than the one that was enrolled. */
  readonly forged?: boolean
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const number = (size: 2 | 4, value: number) => {
  const bytes = Buffer.alloc(size)
  if (size === 2) bytes.writeUInt16BE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}

/** The little of CBOR (RFC 8949) that is needed. */
const cbor = {
  text: (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]),
  bytes: (bytes: Buffer) => Buffer.concat([Buffer.of(0x59), number(2, bytes.length), bytes]),
  map: (entries: readonly (readonly [Buffer, Buffer])[]) =>
    Buffer.concat([Buffer.of(0xa0 + entries.length), ...entries.flat()]),
}

const noStatement = cbor.map([])
/** An attestation that names certificates: whoever checks them may be led anywhere. */
export const withCertificates = cbor.map([
  [cbor.text('alg'), Buffer.of(0x26)],
  [cbor.text('sig'), cbor.bytes(randomBytes(70))],
  [cbor.text('x5c'), Buffer.concat([Buffer.of(0x81), cbor.bytes(randomBytes(300))])],
])

export class Authenticator {
  readonly id = randomBytes(16).toString('base64url')
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly origin: string
  counter = 0
  userHandle: string | null = null
  #synced = false

  constructor(origin: string) {
    this.origin = origin
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** navigator.credentials.create() */
  create(options: JsonObject, lies: Lies = {}): string {
    const { challenge, rp, user } = options as { challenge: string; rp: { id: string }; user: { id: string } }
    this.userHandle = user.id
    this.#synced = lies.synced ?? false
    const id = Buffer.from(lies.id ?? this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), number(2, id.length), id, this.#cose()])
    const { fmt, statement } = lies.attestation ?? { fmt: 'none', statement: noStatement }
    const attestationObject = cbor.map([
      [cbor.text('fmt'), cbor.text(fmt)],
      [cbor.text('attStmt'), statement],
      [cbor.text('authData'), cbor.bytes(this.#data(rp.id, lies, attested))],
    ])
    return this.#answer(id.toString('base64url'), {
      clientDataJSON: this.#client('webauthn.create', challenge, lies),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['carrier-pigeon', ...transports, 'usb'],
    })
  }

  /** navigator.credentials.get() */
  get(options: JsonObject, lies: Lies = {}): string {
    const { challenge, rpId } = options as { challenge: string; rpId: string }
    const data = this.#data(rpId, lies)
    const client = this.#client('webauthn.get', challenge, lies)
    const signer = createSign('sha256').update(Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]))
    const key = lies.forged === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.#key
    const userHandle = lies.userHandle === undefined ? this.userHandle : lies.userHandle
    return this.#answer(lies.id ?? this.id, {
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: signer.sign(key.privateKey).toString('base64url'),
      ...(userHandle === null ? {} : { userHandle }),
    })
  }

  #client(type: string, challenge: string, lies: Lies): string {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: lies.crossOrigin ?? false,
    }
    return Buffer.from(JSON.stringify(said)).toString('base64url')
  }

  #data(rpId: string, lies: Lies, attested?: Buffer): Buffer {
    const flags =
      (lies.userPresent === false ? 0 : 0x01) |
      (lies.userVerified === false ? 0 : 0x04) |
      ((lies.synced ?? this.#synced) ? 0x18 : 0) |
      (lies.backedUpOnly === true ? 0x10 : 0) |
      (attested === undefined ? 0 : 0x40)
    const counter = lies.counter ?? (this.counter === 0 ? 0 : ++this.counter)
    const parts = [sha256(lies.rpId ?? rpId), Buffer.of(flags), number(4, counter)]
    return Buffer.concat(attested === undefined ? parts : [...parts, attested])
  }

  #cose(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    const [kty, alg, crv] = [Buffer.of(0x01, 0x02), Buffer.of(0x03, 0x26), Buffer.of(0x20, 0x01)]
    const point = (label: number, value: string) =>
      Buffer.concat([Buffer.of(label, 0x58, 32), Buffer.from(value, 'base64url')])
    return Buffer.concat([Buffer.of(0xa5), kty, alg, crv, point(0x21, x), point(0x22, y)])
  }

  #answer(id: string, response: JsonObject): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}
