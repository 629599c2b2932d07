/**
 * Password hashes in the formats of other systems, verified as they are. One row per scheme; its bounds keep a stored
 * hash from costing a minute or a gigabyte at sign-in.
 */
import { createCipheriv, createHash, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { verifySync as verifyArgon2 } from '@node-rs/argon2'
import { compareSync as verifyBcrypt } from 'bcryptjs'

interface HashScheme {
  /** The name that operators know. */
  readonly name: string
  readonly form: RegExp
  /** Why such a hash is not accepted; null where it is. `groups` are those of `form`. */
  problem(groups: Groups): string | null
  verify(stored: string, password: string, groups: Groups): boolean
}

type Groups = Readonly<Record<string, string>>

const mebibyte = 1024 * 1024
const mostMemory = 256 * mebibyte

/** Base64 of either alphabet, padded or not. */
const bytes = (text = ''): Buffer => Buffer.from(text, 'base64')
const number = (text = ''): number => Number(text)
const isSame = (made: Uint8Array, kept: Uint8Array): boolean =>
  made.length === kept.length && timingSafeEqual(made, kept)

const coded = '[A-Za-z0-9+/_-]+={0,2}'
const saltAndHash = `\\$(?<salt>${coded})\\$(?<hash>${coded})$`

/** Short digests would let a wrong password pass by chance. */
const tooShort = ({ hash }: Groups): string | null =>
  bytes(hash).length < 16 || bytes(hash).length > 512 ? 'its digest must have 16 to 512 bytes' : null

const scryptProblem = ({ ln, r, p = '1', ...rest }: Groups): string | null => {
  const memory = 128 * 2 ** number(ln) * number(r)
  if (memory > mostMemory || number(ln) < 1 || number(p) < 1 || number(p) > 16)
    return `it takes more than ${mostMemory / mebibyte} MiB or 16 lanes`
  return tooShort(rest)
}
const scryptKey = (password: string, salt: Uint8Array, { ln, r, p = '1' }: Groups, length: number): Buffer =>
  scryptSync(password, salt, length, {
    N: 2 ** number(ln),
    r: number(r),
    p: number(p),
    maxmem: 2 * mostMemory,
  })

const schemes: readonly HashScheme[] = [
  {
    name: 'argon2',
    form: /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=(?<m>\d{1,9}),t=(?<t>\d{1,4}),p=(?<p>\d{1,3})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
    problem: ({ m, t, p }) =>
      number(m) * 1024 > mostMemory || number(t) > 50 || number(p) > 16
        ? `it takes more than ${mostMemory / mebibyte} MiB, 50 passes or 16 lanes`
        : null,
    verify: (stored, password) => verifyArgon2(stored, password),
  },
  {
    name: 'bcrypt',
    form: /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53}$/,
    problem: ({ cost }) => (number(cost) < 4 || number(cost) > 14 ? 'its cost must be 4 to 14' : null),
    verify: (stored, password) => verifyBcrypt(password, stored),
  },
  {
    name: 'PBKDF2',
    form: new RegExp(`^\\$pbkdf2-(?<digest>sha1|sha256|sha512)\\$i=(?<i>\\d{1,9})(?:,l=\\d+)?${saltAndHash}`),
    problem: ({ i, ...rest }) =>
      number(i) < 1 || number(i) > 2_000_000 ? 'it must have 1 to 2 000 000 iterations' : tooShort(rest),
    verify: (_stored, password, { digest, i, salt, hash }) =>
      isSame(pbkdf2Sync(password, bytes(salt), number(i), bytes(hash).length, digest ?? ''), bytes(hash)),
  },
  {
    name: 'scrypt',
    form: new RegExp(`^\\$scrypt\\$ln=(?<ln>\\d{1,2}),r=(?<r>\\d{1,4}),p=(?<p>\\d{1,3})${saltAndHash}`),
    problem: scryptProblem,
    verify: (_stored, password, groups) =>
      isSame(scryptKey(password, bytes(groups['salt']), groups, bytes(groups['hash']).length), bytes(groups['hash'])),
  },
  {
    name: 'SSHA',
    form: /^\{SSHA(?<size>256|384|512)?\}(?<value>[A-Za-z0-9+/]+={0,2})$/,
    problem: ({ size, value }) =>
      bytes(value).length > digestLength(size) && bytes(value).length <= digestLength(size) + 64
        ? null
        : 'it must hold a digest and a salt of 1 to 64 bytes',
    verify(_stored, password, { size, value }) {
      const [digest, salt] = [bytes(value).subarray(0, digestLength(size)), bytes(value).subarray(digestLength(size))]
      return isSame(
        createHash(`sha${size ?? '1'}`)
          .update(password)
          .update(salt)
          .digest(),
        digest,
      )
    },
  },
  {
    // scrypt derives a key; the hash is the project's signer key encrypted with it.
    name: 'Firebase scrypt',
    form: new RegExp(
      `^\\$firebase-scrypt\\$ln=(?<ln>\\d{1,2}),r=(?<r>\\d{1,4}),ss=(?<separator>${coded}),sk=(?<signer>${coded})${saltAndHash}`,
    ),
    problem: scryptProblem,
    verify(_stored, password, groups) {
      const salt = Buffer.concat([bytes(groups['salt']), bytes(groups['separator'])])
      const cipher = createCipheriv(
        'aes-256-ctr',
        scryptKey(password, salt, groups, 64).subarray(0, 32),
        Buffer.alloc(16),
      )
      const made = Buffer.concat([cipher.update(bytes(groups['signer'])), cipher.final()])
      return isSame(made, bytes(groups['hash']))
    },
  },
]

const digestLength = (size = '1'): number => ({ '1': 20, '256': 32, '384': 48, '512': 64 })[size] ?? 0

function readHash(stored: string): { readonly scheme: HashScheme; readonly groups: Groups } | null {
  if (stored.length > maxHashLength) return null
  for (const scheme of schemes) {
    const match = scheme.form.exec(stored)
    // Groups that did not match are omitted.
    if (match !== null) return { scheme, groups: { ...match.groups } }
  }
  return null
}

const maxHashLength = 2048

/** The problem of an imported hash; null where it has none. */
export function passwordHashProblem(stored: string): string | null {
  const read = readHash(stored)
  if (read === null) return `must be a hash of one of these forms: ${schemes.map(({ name }) => name).join(', ')}`
  const problem = read.scheme.problem(read.groups)
  return problem === null ? null : `this ${read.scheme.name} hash is not taken: ${problem}`
}

/**
 * Takes as long as its scheme takes, so it must run on a thread of its own. Throws for a text that is not a known hash.
 */
export function verifyPasswordHash(stored: string, password: string): boolean {
  const read = readHash(stored)
  if (read === null) throw new Error('a stored password hash is of no known form')
  return read.scheme.verify(stored, password, read.groups)
}
