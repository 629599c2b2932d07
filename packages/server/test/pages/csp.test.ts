import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assetHeaders, pageHeaders, publicPageHeaders, sourceOf } from '../../src/pages/csp.ts'

const policy = (headers: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )

test('a page allows nothing inline, nothing foreign and no frame around it', () => {
  const directives = policy(pageHeaders())
  assert.equal(directives.get('default-src'), "'none'")
  assert.equal(directives.get('script-src'), "'self'")
  assert.equal(directives.get('style-src'), "'self'")
  assert.equal(directives.get('form-action'), "'self'")
  assert.equal(directives.get('frame-src'), "'none'")
  assert.equal(directives.get('frame-ancestors'), "'none'")
  assert.equal(directives.get('base-uri'), "'none'")
})

test('a page is not kept, not sniffed, and tells nobody where one came from', () => {
  const headers = pageHeaders()
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
})

test('form-action lets the validated redirect through, by origin or scheme', () => {
  const cases = [
    ['https://client.example/cb?x=1', 'https://client.example'],
    ['https://client.example:8443/cb', 'https://client.example:8443'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:33418'],
    ['http://localhost/callback', 'http://localhost'],
    ['http://[::1]:4000/cb', 'http://*:4000'],
    ['http://[::1]/cb', 'http://*:80'],
    ['https://bücher.example/cb', 'https://xn--bcher-kva.example'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['com.example.app:/cb', 'com.example.app:'],
  ] as const
  for (const [uri, source] of cases) assert.equal(sourceOf(uri), source, uri)
  assert.equal(
    policy(pageHeaders({ formTargets: ['https://a.example/x', 'https://a.example/y', 'app:/z'] })).get('form-action'),
    "'self' https://a.example app:",
  )
})

test('schemes that run script or read files never enter a policy', () => {
  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'about:blank',
    'no uri',
  ]) {
    assert.equal(sourceOf(uri), null, uri)
  }
})

test('no URI, however made, adds a directive or a keyword to the policy', () => {
  const part = fc.string({
    unit: fc.constantFrom(';', ',', ' ', "'", '*', '\n', 'a', '.', ':', '/', '@', '%', '[', ']', '"'),
  })
  fc.assert(
    fc.property(fc.constantFrom('https://', 'http://', 'a:', ''), part, (scheme, rest) => {
      const source = sourceOf(scheme + rest)
      if (source === null) return
      assert.match(source, /^(?:https?:\/\/(?:[a-z0-9._-]+|\*)(?::\d+)?|[a-z][a-z0-9+.-]*:)$/)
    }),
  )
})

test('frames are allowed by origin only where a page has them', () => {
  const directives = policy(pageHeaders({ frames: ['https://rp.example/logout?sid=1'] }))
  assert.equal(directives.get('frame-src'), 'https://rp.example')
})

test('problem pages are public; assets are kept for ever and cannot run anything', () => {
  assert.equal(publicPageHeaders()['cache-control'], 'public, max-age=300')
  assert.equal(publicPageHeaders()['x-robots-tag'], undefined)
  assert.match(assetHeaders('image/svg+xml')['cache-control'] ?? '', /immutable/)
  assert.match(assetHeaders('image/svg+xml')['content-security-policy'] ?? '', /^default-src 'none'; .*sandbox$/)
})

test('the form of a form_post answer may be led on by its client, and nothing else is loosened', () => {
  const directives = policy(pageHeaders({ formTargets: 'anywhere' }))
  assert.ok(!directives.has('form-action'))
  directives.set('form-action', "'self'")
  assert.deepEqual(directives, policy(pageHeaders()))
})

test('only pages that a client may have opened keep their opener', () => {
  assert.equal(pageHeaders({ opened: true })['cross-origin-opener-policy'], 'unsafe-none')
  assert.equal(pageHeaders({ frames: [] })['cross-origin-opener-policy'], 'same-origin')
})
