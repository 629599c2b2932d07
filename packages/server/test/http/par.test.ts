/** POST /par over HTTP: its statuses, its headers, and where its references lead in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { authorizeQuery, clientSecret, deploy, type Deployment, pageOf } from '../interact/deployment.ts'

describe('the endpoint of pushed requests', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const authorization = `Basic ${Buffer.from(`web:${clientSecret}`).toString('base64')}`
  const push = (more: Record<string, string> = {}, base = '') =>
    deployment.send(`${base}/par`, { form: Object.fromEntries(authorizeQuery(more)), headers: { authorization } })
  const referenceIn = (body: string) => (JSON.parse(body) as { request_uri: string }).request_uri
  const opening = (uri: string, base = '') =>
    `${base}/authorize?${new URLSearchParams({ client_id: 'web', request_uri: uri }).toString()}`

  test('RFC 9126 §2.2: 201 with the reference, kept by no cache and readable across origins', async () => {
    const { status, headers, body } = await push()
    assert.equal(status, 201)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['set-cookie'], undefined)
    assert.deepEqual(Object.keys(JSON.parse(body) as object), ['request_uri', 'expires_in'])
  })

  test('RFC 9126 §2.3: errors are JSON with their status; other methods and types are refused', async () => {
    const wrong = await push({ redirect_uri: 'https://evil.example/cb' })
    assert.equal(wrong.status, 400)
    assert.equal((JSON.parse(wrong.body) as { error: string }).error, 'invalid_request')
    const form = Object.fromEntries(authorizeQuery())
    assert.equal((await deployment.send('/par', { form })).status, 401)
    assert.equal((await deployment.send('/par')).status, 405)
    assert.equal((await deployment.send('/par', { method: 'PUT', form })).status, 405)
    const json = { authorization, 'content-type': 'application/json' }
    assert.equal((await deployment.send('/par', { content: '{}', headers: json })).status, 415)
    const long = await deployment.send('/par', {
      form: { ...form, state: 's'.repeat(70_000) },
      headers: { authorization },
    })
    assert.equal(long.status, 413)
    const twice = `${authorizeQuery().toString()}&scope=openid`
    assert.equal((await deployment.send('/par', { content: twice, headers: { authorization } })).status, 400)
  })

  test('RFC 9126 §4: a browser signs in by the reference once; the address of its pages tells nothing of the request', async () => {
    const browser = deployment.browser()
    const uri = referenceIn((await push({ prompt: 'consent' })).body)
    const begun = await browser.ask(opening(uri))
    const hub = begun.headers.location ?? ''
    assert.match(hub, /^\/interact\/gi_[\w-]{43,400}$/)
    await browser.signIn(hub, deployment.somebody())
    await browser.allow(hub)
    const answered = new URL((await browser.ask(hub)).headers.location ?? '')
    assert.match(answered.searchParams.get('code') ?? '', /^gc_/)
    const again = await browser.ask(opening(uri))
    assert.deepEqual([again.status, pageOf(again), again.headers.location], [400, 'error', undefined])
    assert.match(again.body, /invalid_request_uri/)
  })

  test('a reference of one tenant opens nothing in another, though the client has the same name', async () => {
    const uri = referenceIn((await push({}, '/t/acme')).body)
    assert.equal(pageOf(await deployment.send(opening(uri))), 'error')
    assert.equal((await deployment.send(opening(uri, '/t/acme'))).status, 303)
  })

  test('OIDC Discovery §3, RFC 9126 §5: metadata names all of it', async () => {
    const { body } = await deployment.send('/t/acme/.well-known/openid-configuration')
    const metadata = JSON.parse(body) as Record<string, unknown>
    assert.equal(metadata['pushed_authorization_request_endpoint'], `${deployment.issuer}/t/acme/par`)
    assert.equal(metadata['require_pushed_authorization_requests'], false)
    const modes = ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt']
    assert.deepEqual(metadata['response_modes_supported'], modes)
    assert.ok((metadata['request_object_signing_alg_values_supported'] as string[]).includes('PS256'))
    assert.ok((metadata['authorization_signing_alg_values_supported'] as string[]).includes('PS256'))
    assert.equal('request_object_encryption_alg_values_supported' in metadata, false)
  })
})
