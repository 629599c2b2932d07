/** The tools of the console: tokens are read and checked as they are, and the lines of a walk are what a client sends. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { flows, type StepName, steps, type Walk } from '../src/pages/tools/flows.ts'
import { curlOf } from '../src/pages/tools/http.ts'
import { readToken, timingOf, verdictOn } from '../src/pages/tools/jwt.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: object, { key, hash }: { key: ReturnType<typeof pair>; hash: string | null }): string {
  const input = `${part(header)}.${part({ sub: 'ada' })}`
  const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `${input}.${sign(hash, Buffer.from(input), options).toString('base64url')}`
}

const pair = (kind: 'P-256' | 'Ed25519') =>
  kind === 'P-256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')

const jwkOf = (key: ReturnType<typeof pair>, more: object): JsonWebKey => ({
  ...key.publicKey.export({ format: 'jwk' }),
  ...more,
})

const jwtOf = (token: string) => {
  const read = readToken(token)
  assert.ok(read.kind === 'jwt')
  return read
}

test('a signature is good by the key that the token names, and by no other', async () => {
  const [key, other] = [pair('P-256'), pair('P-256')]
  const keys = [jwkOf(other, { kid: 'b' }), jwkOf(key, { kid: 'a', alg: 'ES256' })]
  const jwt = jwtOf(signed({ alg: 'ES256', kid: 'a', typ: 'at+jwt' }, { key, hash: 'sha256' }))
  assert.equal(await verdictOn(jwt, keys), 'valid')
  assert.equal(await verdictOn({ ...jwt, signed: `${jwt.signed}x` }, keys), 'invalid')
  assert.equal(await verdictOn(jwt, [jwkOf(other, { kid: 'a' })]), 'invalid')
  assert.equal(await verdictOn(jwt, [jwkOf(key, { kid: 'c' })]), 'no-key')
  assert.equal(await verdictOn(jwt, [jwkOf(key, { kid: 'a', alg: 'ES384' })]), 'invalid', 'a key is for one algorithm')
  const edwards = pair('Ed25519')
  const signedByIt = jwtOf(signed({ alg: 'EdDSA', kid: 'e' }, { key: edwards, hash: null }))
  assert.equal(await verdictOn(signedByIt, [jwkOf(edwards, { kid: 'e' })]), 'valid')
})

test('what is no signature is never called good', async () => {
  const key = pair('P-256')
  for (const [alg, says] of [
    ['none', 'none'],
    [7, 'none'],
    ['HS256', 'unsupported'],
    ['ML-DSA-65', 'unsupported'],
    ['constructor', 'unsupported'],
  ] as const) {
    const jwt = jwtOf(`${part({ alg, kid: 'a' })}.${part({})}.`)
    assert.equal(await verdictOn(jwt, [jwkOf(key, { kid: 'a' })]), says, String(alg))
  }
})

test('whatever is pasted is read as something, and never throws', () => {
  assert.equal(readToken('  ').kind, 'nothing')
  assert.equal(readToken('gk_abc').kind, 'api-key')
  assert.equal(readToken('x'.repeat(10_000)).kind, 'opaque')
  assert.equal(readToken(`Bearer ${part({ alg: 'ES256' })}.${part({})}.AA`).kind, 'jwt')
  assert.equal(readToken(`${part({ alg: 'ES256' })}.${part([])}.AA`).kind, 'broken')
  assert.equal(readToken('eyJ.eyJ.%').kind, 'broken')
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(fc.base64String(), { minLength: 3, maxLength: 3 })), (it) => {
      readToken(typeof it === 'string' ? it : `eyJ${it.join('.')}`)
    }),
  )
})

test('the time of a token is told from its claims', () => {
  const now = 1_000_000
  for (const [claims, says] of [
    [{ exp: 1001 }, 'current'],
    [{ exp: 1000 }, 'expired'],
    [{ exp: 2000, nbf: 1900 }, 'not-yet'],
    [{ exp: 'never' }, 'no-end'],
  ] as const)
    assert.equal(timingOf(claims, now), says)
})

const answer = (json: Readonly<Record<string, unknown>>) => ({ status: 200, json, text: '' })

const walk: Walk = {
  issuer: 'https://as.example',
  input: {
    clientId: "it's",
    secret: '',
    redirectUri: 'https://app.example/cb',
    scope: 'openid',
    resource: 'https://api.example',
  },
  verifier: 'v',
  challenge: 'c',
  state: 's',
  back: '',
  answers: {},
}

const discovered: Walk = {
  ...walk,
  answers: {
    discover: answer({
      authorization_endpoint: 'https://as.example/authorize',
      token_endpoint: 'https://as.example/token',
    }),
  },
}

test('no step of a walk has a request before the one that it is made of', () => {
  for (const { steps: names } of Object.values(flows)) {
    const open = names.filter((name: StepName) => (steps[name].request ?? steps[name].address)?.(walk) != null)
    assert.deepEqual(open, ['discover'])
  }
})

test('a code is taken from the address of this walk only', () => {
  const at = (back: string) => steps.token.request?.({ ...discovered, back }) ?? null
  assert.equal(at('https://app.example/cb?code=x&state=other'), null)
  assert.equal(at('https://app.example/cb?error=access_denied&state=s'), null)
  assert.equal(at('no address'), null)
  assert.deepEqual(at(' https://app.example/cb?code=x&state=s ')?.form, {
    grant_type: 'authorization_code',
    code: 'x',
    redirect_uri: 'https://app.example/cb',
    code_verifier: 'v',
    resource: 'https://api.example',
    client_id: "it's",
  })
})

test('the curl of a step can be pasted into a shell whatever a client is called', () => {
  const request = steps.machineToken.request?.({ ...discovered, input: { ...walk.input, secret: '$(id) & "x"' } })
  assert.ok(request)
  assert.equal(
    curlOf(request),
    `curl 'https://as.example/token' \\
  -u 'it%27s:%24%28id%29+%26+%22x%22' \\
  --data-urlencode 'grant_type=client_credentials' \\
  --data-urlencode 'scope=openid' \\
  --data-urlencode 'resource=https://api.example'`,
  )
  const publicOne = steps.machineToken.request?.(discovered)
  assert.ok(publicOne)
  assert.match(curlOf(publicOne), /--data-urlencode 'client_id=it'\\''s'$/)
})
