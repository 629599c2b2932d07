/** Client authentication with the secret, key or certificate in the given files. */
import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto'
import { ok } from '@grantor/protocol/result'
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None, PrivateKeyJwt, TlsClientAuth } from 'openid-client'
import { readTextFile } from '../declaration/text-file.ts'
import { type CommandContext, hasFlag, textOption } from '../program/command.ts'
import { type CommandResult, failure } from '../program/exit.ts'
import type { ClientCertificate } from '../program/https.ts'

export interface Credentials {
  readonly authentication: ClientAuth
  readonly certificate: ClientCertificate | null
}

export async function readCredentials(context: CommandContext): Promise<CommandResult<Credentials>> {
  const files: (string | undefined)[] = []
  for (const flag of ['--secret-file', '--key', '--certificate', '--certificate-key']) {
    const read = await namedFile(context, flag)
    if (read.kind === 'error') return read
    files.push(read.value)
  }
  const [secret, key, cert, certKey] = files
  if ((cert === undefined) !== (certKey === undefined))
    return failure('invalid', 'a certificate needs its key: give --certificate and --certificate-key')
  const certificate = cert === undefined || certKey === undefined ? null : { cert, key: certKey }
  if (secret !== undefined) {
    const trimmed = secret.replace(/\r?\n$/, '')
    const authentication = hasFlag(context, '--post') ? ClientSecretPost(trimmed) : ClientSecretBasic(trimmed)
    return ok({ authentication, certificate })
  }
  if (key !== undefined) {
    const signing = await signingKey(key)
    if (signing === null)
      return failure('invalid', 'the key of --key cannot be used', {
        fix: 'give a private key for ES256, PS256 or EdDSA, as PEM (PKCS#8) or as a JWK',
      })
    return ok({ authentication: PrivateKeyJwt(signing), certificate })
  }
  // Alone, a certificate authenticates the client; with another proof, tokens are only bound to the certificate.
  return ok({ authentication: certificate === null ? None() : TlsClientAuth(), certificate })
}

/** Reads the file that an option names; undefined if the option was not given. */
export async function namedFile(context: CommandContext, flag: string): Promise<CommandResult<string | undefined>> {
  const name = textOption(context, flag)
  return name === undefined ? ok(undefined) : readTextFile(name, context.environment)
}

interface SigningKey {
  readonly key: webcrypto.CryptoKey
  readonly kid?: string
}

/** Signing algorithms by kind of key; RSA signs PS256. */
const algorithms: Readonly<
  Record<string, webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | { name: string }>
> = {
  ec: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa: { name: 'RSA-PSS', hash: 'SHA-256' },
  ed25519: { name: 'Ed25519' },
}

async function signingKey(text: string): Promise<SigningKey | null> {
  try {
    const jwk = text.trimStart().startsWith('{') ? (JSON.parse(text) as webcrypto.JsonWebKey & { kid?: string }) : null
    const key: KeyObject = jwk === null ? createPrivateKey(text) : createPrivateKey({ key: jwk, format: 'jwk' })
    const algorithm = algorithms[key.asymmetricKeyType ?? '']
    if (algorithm === undefined) return null
    const der = key.export({ format: 'der', type: 'pkcs8' })
    const imported = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
    return { key: imported, ...(jwk?.kid === undefined ? {} : { kid: jwk.kid }) }
  } catch {
    return null
  }
}
