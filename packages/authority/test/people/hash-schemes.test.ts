/** Password hashes of other systems: vectors that others made, and what is not taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { passwordHashProblem, verifyPasswordHash } from '../../src/people/hash-schemes.ts'
import { checkPassword, isWeak } from '../../src/people/password.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64').replace(/=+$/, '')
const utf8 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '')

/** Made by the documents named, or by Python’s hashlib. */
const vectors: readonly (readonly [what: string, password: string, stored: string])[] = [
  [
    'argon2id, reference implementation',
    'password',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ],
  [
    'argon2i, reference implementation',
    'password',
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
  ],
  ['bcrypt, crypt_blowfish', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt 2y', 'U*U', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  [
    'PBKDF2-SHA256, RFC 7914 §11',
    'passwd',
    `$pbkdf2-sha256$i=1$${utf8('salt')}$${base64(
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
    )}`,
  ],
  [
    'PBKDF2-SHA256 of Keycloak: 64 bytes',
    'correct horse',
    '$pbkdf2-sha256$i=27500$MDEyMzQ1Njc4OWFiY2RlZg$H5R9LZ0QvKxHLm1Lg0IeQXdtUAa+9gf2NeOZns+WHBTpnlaWE/+JwnJ/2OXEjNPW5EusP1xxGLqEqjWDbIcGlg',
  ],
  [
    'PBKDF2-SHA512',
    'correct horse',
    '$pbkdf2-sha512$i=5000,l=64$MDEyMzQ1Njc4OWFiY2RlZg==$WKFoD/zBj1DaMjiry+T1pLUuQavMksVoklC5GYhA9FesQC0Geh8qALTJGwNQHBnPXewLp0WrTlZDyP+t7t6aBQ==',
  ],
  ['PBKDF2-SHA1', 'correct horse', '$pbkdf2-sha1$i=20000$MDEyMzQ1Njc4OWFiY2RlZg$3j/kSXDCFGf+gK+IC5hDJD7B63c'],
  [
    'scrypt, RFC 7914 §12',
    'password',
    `$scrypt$ln=10,r=8,p=16$${utf8('NaCl')}$${base64(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    )}`,
  ],
  ['SSHA', 'correct horse', '{SSHA}/ZQqiNB0KY5DsMfhXruKYQL/lEABAgMEc2FsdA=='],
  ['SSHA256', 'correct horse', '{SSHA256}Vza+E+vCJkKPAonMCUUfHmQKII3Scy/uHWuBMJ5gYR4BAgMEc2FsdA=='],
  [
    'SSHA512',
    'correct horse',
    '{SSHA512}XsxgEht7JsCz3QMOnxsxCj78be6nSkmmvmM9JMlFLvEt3nkQyfS8RqU9Bm0XVBsT4yIursfy+a0lNXT7BxAiUAECAwRzYWx0',
  ],
  [
    'Firebase scrypt, its own example',
    'user1password',
    '$firebase-scrypt$ln=14,r=8,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==' +
      '$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  ],
]

for (const [what, password, stored] of vectors) {
  test(`${what}: the right password, and no other`, async () => {
    assert.equal(passwordHashProblem(stored), null)
    assert.equal(verifyPasswordHash(stored, password), true)
    for (const wrong of ['', `${password} `, password.toUpperCase().slice(1)])
      assert.equal(verifyPasswordHash(stored, wrong), false)
    assert.equal(await checkPassword(stored, password), true, 'on the thread that hashes')
    assert.equal(isWeak(stored), true, 'made anew at the first sign-in')
  })
}

test('a hash that would take a minute, a gigabyte or a digest that fits by chance is not taken', () => {
  const salt = '$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  for (const stored of [
    `$argon2id$v=19$m=4194304,t=2,p=1${salt}`,
    `$argon2id$v=19$m=65536,t=9999,p=1${salt}`,
    '$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    `$pbkdf2-sha256$i=999999999${salt}`,
    `$pbkdf2-sha256$i=0${salt}`,
    '$pbkdf2-sha256$i=1000$c2FsdA$AAAA',
    `$scrypt$ln=30,r=8,p=1${salt}`,
    `$scrypt$ln=14,r=8,p=999${salt}`,
    '{SSHA}AAAA',
  ])
    assert.match(passwordHashProblem(stored) ?? '', /is not taken/, stored)
})

test('the last that is taken beside the first that is not, and why', () => {
  const salt = '$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const digest = (bytes: number) => `$c29tZXNhbHQ$${Buffer.alloc(bytes).toString('base64').replaceAll('=', '')}`
  const argon = (m: number, t: number, p: number) => `$argon2id$v=19$m=${m},t=${t},p=${p}${salt}`
  const bcrypt = (cost: string) => `$2b$${cost}$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`
  const scrypt = (ln: number, r: number, p: number) => `$scrypt$ln=${ln},r=${r},p=${p}${salt}`
  const much = 'this argon2 hash is not taken: it takes more than 256 MiB, 50 passes or 16 lanes'
  const scryptMuch = 'this scrypt hash is not taken: it takes more than 256 MiB or 16 lanes'
  const iterations = 'this PBKDF2 hash is not taken: it must have 1 to 2 000 000 iterations'
  const short = 'this PBKDF2 hash is not taken: its digest must have 16 to 512 bytes'
  const cost = 'this bcrypt hash is not taken: its cost must be 4 to 14'
  const table: readonly (readonly [string, string | null])[] = [
    [argon(262_144, 50, 16), null],
    [argon(262_145, 50, 16), much],
    [argon(262_144, 51, 16), much],
    [argon(262_144, 50, 17), much],
    [bcrypt('04'), null],
    [bcrypt('03'), cost],
    [bcrypt('14'), null],
    [bcrypt('15'), cost],
    [`$pbkdf2-sha256$i=1${salt}`, null],
    [`$pbkdf2-sha256$i=0${salt}`, iterations],
    [`$pbkdf2-sha256$i=2000000${salt}`, null],
    [`$pbkdf2-sha256$i=2000001${salt}`, iterations],
    [`$pbkdf2-sha256$i=1000${digest(16)}`, null],
    [`$pbkdf2-sha256$i=1000${digest(15)}`, short],
    [`$pbkdf2-sha256$i=1000${digest(512)}`, null],
    [`$pbkdf2-sha256$i=1000${digest(513)}`, short],
    [scrypt(18, 8, 16), null],
    [scrypt(18, 9, 16), scryptMuch],
    [scrypt(18, 8, 17), scryptMuch],
    [scrypt(0, 8, 1), scryptMuch],
    [scrypt(1, 8, 1), null],
    [scrypt(1, 8, 0), scryptMuch],
  ]
  for (const [stored, problem] of table) assert.equal(passwordHashProblem(stored), problem, stored)
})

test('whatever else is no hash: it is told so, and never verified', () => {
  const near = fc.constantFrom('$argon2id$', '$2b$10$', '$pbkdf2-sha256$i=', '{SSHA}', '$scrypt$', '$firebase-scrypt$')
  const text = fc.oneof(
    fc.string(),
    fc.tuple(near, fc.string()).map(([head, tail]) => head + tail),
  )
  fc.assert(
    fc.property(text, fc.string({ maxLength: 20 }), (stored, password) => {
      if (passwordHashProblem(stored) === null) return
      try {
        assert.equal(verifyPasswordHash(stored, password), false)
      } catch (error) {
        assert.ok(error instanceof Error)
      }
    }),
  )
  assert.match(passwordHashProblem('plain text') ?? '', /argon2, bcrypt, PBKDF2, scrypt, SSHA, Firebase scrypt/)
  assert.match(passwordHashProblem(`{SSHA}${'A'.repeat(5000)}`) ?? '', /one of these forms/)
})
