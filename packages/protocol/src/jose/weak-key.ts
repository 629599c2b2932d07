/** Keys with which anybody can sign, or whose numbers are not a valid key: RFC 7518 §6.3, RFC 8725 §3.4, §3.5. */
import type { JsonObject } from '../types.ts'

/** The weakness of a public key's numbers; null where none is known. OpenSSL checks the NIST curves. */
export function keyWeakness(jwk: JsonObject): string | null {
  if (jwk['kty'] === 'RSA') return rsaWeakness(numberIn(jwk['n']), numberIn(jwk['e']))
  if (jwk['kty'] === 'OKP' && jwk['crv'] === 'Ed25519') return ed25519Weakness(jwk['x'])
  return null
}

const leastModulus = 2048
/** A longer modulus costs verifiers more than it gains. */
const mostModulus = 8192

function rsaWeakness(modulus: bigint | null, exponent: bigint | null): string | null {
  if (modulus === null || exponent === null) return 'is no RSA key'
  const bits = modulus.toString(2).length
  if (bits < leastModulus) return `is an RSA key of fewer than ${leastModulus} bits`
  if (bits > mostModulus) return `is an RSA key of more than ${mostModulus} bits`
  // NIST SP 800-56B §6.2: odd, and above 2^16. Small exponents make forgeries easy where padding is checked carelessly.
  if (exponent % 2n === 0n || exponent < 65_537n || exponent >= 1n << 32n) return 'is an RSA key with a bad exponent'
  if (smallPrimes.some((prime) => modulus % prime === 0n)) return 'is an RSA key that is a multiple of a small number'
  return isOfFaultyGenerator(modulus) ? 'is an RSA key of a generator whose keys can be factored' : null
}

const smallPrimes: readonly bigint[] = [
  '2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101 103 107 109 113 127 131 137 139 149 151',
  '157 163 167',
].flatMap((line) => line.split(' ').map(BigInt))

/**
 * CVE-2017-15361: primes of that library are powers of 65537 modulo the product of all small primes, and so are its
 * moduli. Of other keys less than one in 2^27 looks so.
 */
const isOfFaultyGenerator = (modulus: bigint): boolean =>
  smallPrimes.every((prime) => powersOf65537(prime).has(modulus % prime))

function powersOf65537(prime: bigint): ReadonlySet<bigint> {
  const powers = new Set<bigint>()
  for (let power = 1n % prime; !powers.has(power); power = (power * 65_537n) % prime) powers.add(power)
  return powers
}

const p = 2n ** 255n - 19n
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const orderEight = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n

/**
 * RFC 7748, RFC 8032 §5.1: the y of the eight points of small order. A signature under one is valid for almost any
 * message.
 */
const smallOrder: ReadonlySet<bigint> = new Set([0n, 1n, p - 1n, orderEight, p - orderEight])

/** OpenSSL accepts any 32 bytes. */
function ed25519Weakness(text: unknown): string | null {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  if (bytes.length !== 32) return 'is no Ed25519 key'
  // Little-endian; the highest bit is the sign of x.
  const y = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) % 2n ** 255n
  if (y >= p || smallOrder.has(y)) return 'is an Ed25519 key of small order'
  // RFC 8032 §5.1.3: x² = (y² - 1) / (d y² + 1); the quotient is a square exactly if the product is one.
  const square = (y * y) % p
  const product = ((square - 1n + p) * (d * square + 1n)) % p
  return power(product, (p - 1n) / 2n) === 1n ? null : 'is not on its curve'
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let factor = base % p
  for (let remaining = exponent; remaining > 0n; remaining >>= 1n) {
    if ((remaining & 1n) === 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}

/** RFC 7518 §2: Base64urlUInt. */
function numberIn(text: unknown): bigint | null {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]{1,4096}$/.test(text)) return null
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex') || '0'}`)
}
