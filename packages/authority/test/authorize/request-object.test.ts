/** Request objects: what a client signs counts and nothing beside it; and everybody who signs what is not theirs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FetchRequest, limits, type Outbound } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, type Deployment, openDeployment } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, type Shown } from '../support/person.ts'
import { jws, parameters, push, pushing, reference, requestClaims, signingKey } from '../support/signing-client.ts'

const own = signingKey('k1')
const twin = signingKey('k1')
const keys = { jwks: { keys: [own.jwk] } }

const openFor = async (database: (typeof databases)[number], more: JsonObject = keys): Promise<Deployment> => {
  const deployment = await openDeployment(database)
  await declarePeople(deployment, more)
  return deployment
}

const byValue = (request: string, more: Record<string, string> = {}) =>
  formOf(Object.entries({ client_id: 'web', request, ...more }))

const told = (shown: Shown): string =>
  shown.go === 'answer'
    ? (answerOf(shown).get('error') ?? 'code')
    : shown.go === 'error'
      ? shown.refusal.reason
      : shown.go

/** A document at an address, counted. */
class Hosted implements Outbound {
  readonly asks: FetchRequest[] = []
  document: string | null = null
  fetch(ask: FetchRequest): ReturnType<Outbound['fetch']> {
    this.asks.push(ask)
    if (this.document === null) return Promise.resolve(err('unreachable'))
    const body = Buffer.from(this.document)
    if (body.length > ask.maxBytes) return Promise.resolve(err('size'))
    return Promise.resolve(ok({ type: 'application/oauth-authz-req+jwt', body, fetchedAt: 0, maxAge: 0 }))
  }
  submit(): ReturnType<Outbound['submit']> {
    throw new Error('nothing is submitted')
  }

  deliver(): ReturnType<Outbound['deliver']> {
    return Promise.resolve(err('unreachable'))
  }

  post(): ReturnType<Outbound['post']> {
    return Promise.resolve(err('unreachable'))
  }

  notify(): ReturnType<Outbound['notify']> {
    return Promise.resolve(err('unreachable'))
  }
}

class Neighbour extends PersonAtBrowser {
  override visitor() {
    return { ...super.visitor(), ip: '192.0.2.10' }
  }
}

for (const database of databases) {
  describe(`request objects on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority } = deployment
    const person = () => new PersonAtBrowser(authority)
    const object = (more: Readonly<Record<string, unknown>> = {}, header: JsonObject = {}) =>
      jws({ claims: requestClaims(deployment, more), by: own, header })

    test('RFC 9101 §6.3: the parameters inside count, and those outside do not', async () => {
      const visitor = person()
      const outside = {
        state: 'outside',
        scope: 'openid',
        redirect_uri: 'https://evil.example/cb',
        prompt: 'none',
        max_age: 'x',
      }
      assert.equal((await visitor.begin(byValue(object({ max_age: 3600 }), outside))).go, 'login')
      await visitor.signIn()
      const answer = answerOf(await visitor.allow())
      assert.deepEqual([answer.get('state'), answer.has('code')], ['xyz', true])
      const { state: _, ...without } = JSON.parse(requestClaims(deployment)) as Record<string, unknown>
      const silent = jws({ claims: JSON.stringify({ ...without, prompt: 'none' }), by: own })
      assert.equal(
        answerOf(await person().begin(byValue(silent, outside))).has('state'),
        false,
        'nor where it is missing',
      )
    })

    test('RFC 9101 §4: every type and every alg of the client’s keys is taken, and several audiences', async () => {
      for (const header of [
        {},
        { typ: 'JWT' },
        { typ: 'oauth-authz-req+jwt' },
        { typ: 'application/oauth-authz-req+jwt' },
      ])
        assert.equal((await person().begin(byValue(object({}, header)))).go, 'login', JSON.stringify(header))
      const several = object({ aud: ['https://as.example', 'https://other.example'] })
      assert.equal((await person().begin(byValue(several))).go, 'login')
      for (const missing of ['exp', 'nbf', 'iat', 'jti', 'client_id'])
        assert.equal((await person().begin(byValue(object({ [missing]: undefined })))).go, 'login', missing)
      const nearly = object({ nbf: deployment.clock / 1000 + 8 })
      assert.equal((await person().begin(byValue(nearly))).go, 'login')
    })

    const at = deployment.clock / 1000
    const wrong: Readonly<Record<string, string>> = {
      unsigned: object({}, { alg: 'none' }),
      'signed by HMAC with the public key': object({}, { alg: 'HS256' }),
      'signed by another key of the same name': jws({ claims: requestClaims(deployment), by: twin }),
      'of an alg that is not its key’s': object({}, { alg: 'RS256' }),
      'of another client': object({ iss: 'web2', client_id: 'web2' }),
      'with another client_id inside': object({ client_id: 'web2' }),
      'without iss': object({ iss: undefined }),
      'for another audience': object({ aud: 'https://other.example' }),
      'for a tenant of ours': object({ aud: 'https://as.example/t/acme' }),
      'for the endpoint': object({ aud: 'https://as.example/authorize' }),
      'without aud': object({ aud: undefined }),
      expired: object({ exp: at - 61 }),
      'of the future': object({ nbf: at + 61 }),
      'made in the future': object({ iat: at + 61 }),
      'with an exp that is no number': object({ exp: String(at + 60) }),
      'with another object inside': object({ request: object() }),
      'with a reference inside': object({ request_uri: 'https://client.example/request' }),
      'with an empty reference inside': object({ request_uri: '' }),
      'that is an assertion': object({ sub: 'web' }),
      'that is a token of another kind': object({}, { typ: 'at+jwt' }),
      'that is a client assertion by its type': object({}, { typ: 'client-authentication+jwt' }),
      'with an extension nobody knows': object({}, { crit: ['exp'] }),
      'with a name that comes twice': jws({
        claims: requestClaims(deployment).replace(/\}$/, ',"scope":"openid invoices:write"}'),
        by: own,
      }),
      'with control characters': object({ nonce: 'a\u0000b' }),
      'that is no object': jws({ claims: '["a"]', by: own }),
      'that is no JWT': 'eyJ',
      'that is encrypted': 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d',
      'that is too long': object({ nonce: 'n'.repeat(17_000) }),
    }

    test('RFC 9101 §6: an object that is not good is refused, at the push and by the browser, and nothing is stored', async () => {
      for (const [what, request] of Object.entries(wrong)) {
        const plain = { redirect_uri: parameters()['redirect_uri'] ?? '', state: 'outside' }
        assert.equal(told(await person().begin(byValue(request, plain))), 'invalid_request_object', what)
        const answer = await authority.pushedAuthorization(pushing({ ...parameters(), request }))
        assert.equal(answer.kind === 'ok' ? 'pushed' : answer.error.reason, 'request_object_invalid', what)
      }
    })

    test('RFC 9101 §6.2: a byte more or less anywhere in the text, and it is another', async () => {
      const request = object()
      for (let i = 0; i < request.length; i += 7) {
        const changed = `${request.slice(0, i)}${request[i] === 'A' ? 'B' : 'A'}${request.slice(i + 1)}`
        const shown = await person().begin(byValue(changed))
        assert.match(told(shown), /^(invalid_request_object|request_object_invalid)$/, `at ${i}`)
      }
    })

    test('where it is refused, the answer goes where the object asked, if that is registered, and as it asked', async () => {
      const unsigned = (more: Record<string, unknown>) => byValue(object(more, { alg: 'none' }))
      const shown = await person().begin(unsigned({ response_mode: 'form_post', state: 'inside' }))
      assert.ok(shown.go === 'answer' && shown.response.mode === 'form_post')
      assert.deepEqual([told(shown), answerOf(shown).get('state')], ['invalid_request_object', 'inside'])
      const jwt = await person().begin(unsigned({ response_mode: 'jwt' }))
      assert.deepEqual([...answerOf(jwt).keys()], ['response'])
      const evil = await person().begin(unsigned({ redirect_uri: 'https://evil.example/cb' }))
      assert.equal(told(evil), 'request_object_invalid', 'our own page')
      const unsignedText = object({}, { alg: 'none' })
      const outside = await person().begin(byValue(unsignedText, { redirect_uri: 'https://evil.example/cb' }))
      assert.equal(told(outside), 'request_object_invalid', 'nor there')
    })

    test('RFC 9101 §5: request beside request_uri is refused', async () => {
      const plain = { redirect_uri: parameters()['redirect_uri'] ?? '' }
      assert.equal(
        told(await person().begin(byValue(object(), { request_uri: 'https://client.example/r', ...plain }))),
        'invalid_request',
      )
      const both = byValue(object(), { request_uri: await push(authority) })
      assert.equal(told(await person().begin(both)), 'request_given_twice')
    })

    test('RFC 9126 §3: a signed request is pushed, and its reference opens what was signed', async () => {
      const request = object({ state: 'signed' })
      const visitor = person()
      const uri = await push(authority, { request, state: 'outside', client_id: 'web' })
      await visitor.begin(reference(uri))
      const shown = await visitor.signIn('bob', 'battery-staple')
      assert.equal(answerOf(shown.go === 'consent' ? await visitor.allow() : shown).get('state'), 'signed')
      const other = { request: jws({ claims: requestClaims(deployment, { iss: 'web2', client_id: 'web2' }), by: own }) }
      const stolen = await authority.pushedAuthorization(pushing(other))
      assert.equal(stolen.kind === 'ok' ? 'pushed' : stolen.error.reason, 'request_object_invalid')
    })

    test('RFC 9101 §10.5: a client that must sign cannot ask otherwise, in either way', async () => {
      const strict = await openFor(database, { ...keys, require_signed_request_object: true })
      const visitor = new PersonAtBrowser(strict.authority)
      assert.equal(told(await visitor.begin(authorizeQuery())), 'invalid_request')
      const answer = await strict.authority.pushedAuthorization(pushing(parameters()))
      assert.equal(answer.kind === 'ok' ? 'pushed' : answer.error.reason, 'request_object_missing')
      assert.equal((await visitor.begin(byValue(object()))).go, 'login')
      const now = Math.floor(deployment.clock / 1000)
      for (const times of [
        { exp: undefined },
        { nbf: undefined },
        { nbf: now, exp: now + 3601 },
        { nbf: now - 3700, exp: now + 60 },
        { nbf: now - 3661, exp: now - 61 + 60 },
      ]) {
        const shown = await visitor.begin(byValue(object(times)))
        assert.match(told(shown), /^(invalid_request_object|request_object_invalid)$/, JSON.stringify(times))
      }
      assert.equal((await visitor.begin(byValue(object({ nbf: now - 3500, exp: now + 60 })))).go, 'login')
    })

    test('RFC 9101 §4: the registered algorithm is the only one; a client without keys signs nothing', async () => {
      const pinned = await openFor(database, { ...keys, request_object_signing_alg: 'PS256' })
      assert.equal(told(await new PersonAtBrowser(pinned.authority).begin(byValue(object()))), 'invalid_request_object')
      const keyless = await openFor(database, {})
      assert.equal(
        told(await new PersonAtBrowser(keyless.authority).begin(byValue(object()))),
        'invalid_request_object',
      )
    })

    test('RFC 9101 §5.2: an object is fetched from a registered address and no other, each time anew', async () => {
      const registered = 'https://client.example/requests/1'
      const hosting = await openFor(database, { ...keys, request_uris: [`${registered}#old`] })
      const outbound = new Hosted()
      const node = hosting.node({ outbound })
      const by = (uri: string) => new PersonAtBrowser(node).begin(reference(uri, parameters()))
      assert.equal(told(await by(registered)), 'invalid_request_uri', 'nothing there')
      outbound.document = object({ state: 'fetched', prompt: 'none' })
      for (const uri of [registered, `${registered}#old`, `${registered}#new`]) {
        const answer = answerOf(await by(uri))
        assert.deepEqual([answer.get('error'), answer.get('state')], ['login_required', 'fetched'])
      }
      assert.ok(outbound.asks.every(({ url, anew }) => url === registered && anew === true))
      const asked = outbound.asks.length
      for (const uri of [
        `${registered}/`,
        `${registered}?x`,
        'https://169.254.169.254/',
        'http://client.example/requests/1',
        'file:///etc/passwd',
        'x',
      ])
        assert.equal(told(await by(uri)), 'invalid_request_uri', uri)
      assert.equal(outbound.asks.length, asked, 'and nobody was asked')
      outbound.document = 'x'.repeat(17_000)
      assert.equal(told(await by(registered)), 'invalid_request_uri')
      outbound.document = object({}, { alg: 'none' })
      assert.equal(told(await by(registered)), 'invalid_request_object')
    })

    test('RFC 9101 §10.4: one address has us fetch so many requests, whichever client’s they are; then nobody is asked', async () => {
      const [here, there] = ['https://client.example/requests/1', 'https://other.example/requests/1']
      const hosting = await openFor(database, { ...keys, request_uris: [here, there] })
      const outbound = new Hosted()
      const requestObjects = { ...limits.requestObjects, quota: 3 }
      const node = hosting.node({ outbound, limits: { ...limits, requestObjects } })
      const by = async (uri: string, visitor = new PersonAtBrowser(node)) =>
        told(await visitor.begin(reference(uri, parameters())))
      const outcomes = []
      for (const uri of [here, there, here, there]) outcomes.push(await by(uri))
      assert.deepEqual(outcomes, [...Array.from({ length: 3 }, () => 'invalid_request_uri'), 'limit_reached'])
      assert.equal(outbound.asks.length, 3)
      assert.equal(await by(here, new Neighbour(node)), 'invalid_request_uri', 'another address')
      assert.equal((await new PersonAtBrowser(node).begin()).go, 'login', 'what is fetched nowhere is not counted')
    })

    test('RFC 9101 §10.4: what a client may register is an address that we would go to', async () => {
      for (const uri of [
        'https://127.0.0.1/r',
        'https://10.0.0.1/r',
        'http://client.example/r',
        'https://localhost/r',
        'r',
      ])
        await assert.rejects(openFor(database, { ...keys, request_uris: [uri] }), /request_uris/, uri)
    })

    test('keys at an address are fetched, and a new one is found', async () => {
      const published = await openFor(database, { jwks_uri: 'https://client.example/jwks' })
      const outbound = new Hosted()
      outbound.document = JSON.stringify({ keys: [twin.jwk] })
      const node = published.node({ outbound })
      assert.equal(told(await new PersonAtBrowser(node).begin(byValue(object()))), 'invalid_request_object')
      outbound.document = JSON.stringify({ keys: [own.jwk] })
      assert.equal((await new PersonAtBrowser(node).begin(byValue(object()))).go, 'login')
    })
  })
}
