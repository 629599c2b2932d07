/** Converts the password hash of a Keycloak export to a PHC string. */
import { jsonWithin } from './json-within.ts'
import { isRecord, text, unpadded } from './source.ts'

type Row = Readonly<Record<string, unknown>>

const digests: Readonly<Record<string, string>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
}

/** Null for an unknown hash format. Both halves of the credential are JSON in a string. */
export function keycloakHash(credential: Row): string | null {
  const [secret, about] = [jsonWithin(credential['secretData']), jsonWithin(credential['credentialData'])]
  const [value, salt, algorithm] = [text(secret['value']), text(secret['salt']), text(about['algorithm'])]
  const iterations = about['hashIterations']
  if (value === null || algorithm === null) return null
  if (algorithm === 'bcrypt' || value.startsWith('$2')) return value
  if (salt === null || typeof iterations !== 'number') return null
  if (Object.hasOwn(digests, algorithm))
    return `$pbkdf2-${digests[algorithm]}$i=${iterations}$${unpadded(salt)}$${unpadded(value)}`
  if (algorithm !== 'argon2') return null
  const more = isRecord(about['additionalParameters']) ? about['additionalParameters'] : {}
  const parameter = (name: string): string | null => {
    const given = more[name]
    return text(Array.isArray(given) ? given[0] : given)
  }
  const version = parameter('version') === '1.0' ? 16 : 19
  const cost = `m=${parameter('memory')},t=${iterations},p=${parameter('parallelism') ?? 1}`
  return `$argon2${parameter('type') ?? 'id'}$v=${version}$${cost}$${unpadded(salt)}$${unpadded(value)}`
}
