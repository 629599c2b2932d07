/** The grammar of addresses that clients give: one table and its properties, for every field that holds one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { served } from '../../src/documents/served.ts'
import { redirectUriProblem } from '../../src/oauth/redirect-uri.ts'
import { clientFields } from '../../src/registration/client-fields.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import { defaultAddressRules as rules } from '../../src/uri/address-rules.ts'
import { appSchemeProblem } from '../../src/uri/app-scheme.ts'
import { parseUri, uriProblem } from '../../src/uri/grammar.ts'

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))
const base = 'https://client.example'

/** Refused wherever a client names an address. */
const malformed = [
  ...words(
    'https:/client.example/cb https:client.example/cb https:///cb https:////client.example/cb https:// https:',
    'https://user@client.example/cb https://user:pw@client.example/cb https://@client.example/cb https://:@client.example/',
    'https://client.example%40evil.example/cb https://client.example\\@evil.example/cb https:\\\\client.example\\cb',
    'https://client.example/../cb https://client.example/a/./cb https://client.example/a/.. https://client.example/.',
    'https://client.example/%2e%2e/cb https://client.example/a/%2E/cb https://client.example/.%2e/cb',
    'https://client.example/a%2f..%2fcb https://client.example/a%5c..%5ccb https://client.example/..;a/cb',
    'https://client.example/%2e%2e%3bx/cb https://*.client.example/cb https://%2a.client.example/cb https://*/cb',
    'https://client.example/cb# https://client.example/cb#x https://client.example/cb%00 https://client.example/%0d%0aX',
    'https://client.example/%7f https://client.example/%c2%85 https://client.example/%ff https://client.example/%c0%ae',
    'https://client.example/% https://client.example/%2 https://client.example/%zz https://client.exämple/cb',
    'https://client.example/ä https://cl%69ent.example/cb https://0x7f000001/cb https://2130706433/cb https://127.1/cb',
    'https://[::0001]/cb https://client.example:/cb https://client.example:0/cb https://client.example:65536/cb',
    'https://client.example:0443/cb https://client.example:+443/cb https://１２７.0.0.1/cb https://client.example:44a/cb',
    'https://client.example/<x> https://client.example/"x" https://client.example/`x` https://client.example/{x}',
    'https://client.example/a|b https://client.example/a^b //client.example/cb /cb client.example/cb http://client.example/',
    'ftp://client.example/ javascript:alert(1) data:text/html,x',
  ),
  '',
  ' https://client.example/cb',
  'https://client.example/cb ',
  'https://client.example/c b',
  'https://client.example/cb\t',
  'https://client.example/cb\n',
  'https://client.example/cb\r\n',
  'ht\ttps://client.example/cb',
  'https://client.example/\u202ecb',
  'https://client.example/\u0000',
  `https://client.example/${'x'.repeat(2048)}`,
]

const fieldsOf = (given: object): readonly string[] => {
  const read = clientMetadata({ redirect_uris: [`${base}/cb`], ...given }, served)
  return read.kind === 'ok' ? [] : read.error.map(({ field }) => field)
}

/** A name in a certificate is compared letter by letter, and nobody is sent there. */
const single = Object.keys(clientFields).filter((name) => name.endsWith('_uri') && !name.includes('_san_'))
const lists = Object.keys(clientFields).filter((name) => name.endsWith('_uris'))

test('every field that holds an address is judged by the grammar', () => {
  assert.deepEqual([single.length, lists], [9, ['redirect_uris', 'request_uris', 'post_logout_redirect_uris']])
})

for (const field of [...single, ...lists])
  test(`RFC 3986: ${field} holds no malformed address`, () => {
    const as = (text: string) => ({ [field]: field.endsWith('s') ? [text] : text })
    const passed = malformed.filter((text) => fieldsOf(as(text)).length === 0)
    // OIDC Registration §2: the fragment of a request_uri may stand for its content.
    const fragments = ['https://client.example/cb#', 'https://client.example/cb#x']
    assert.deepEqual(passed, field === 'request_uris' ? fragments : [])
    assert.deepEqual(fieldsOf(as(`${base}/a/b.c/~x?y=%C3%A4&z=1`)), [])
  })

const answered = words(
  'code state iss error error_description error_uri response id_token access_token refresh_token token_type expires_in',
  'scope session_state',
)

/** Spellings of a name that some reader takes for the name. */
const spelled = (name: string): fc.Arbitrary<string> =>
  fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: name.length, maxLength: name.length }).map((choices) =>
    name
      .split('')
      .map((letter, at) => {
        const cased = choices[at]?.[1] === true ? letter.toUpperCase() : letter
        return choices[at]?.[0] === true ? `%${cased.codePointAt(0)?.toString(16)}` : cased
      })
      .join(''),
  )

test('RFC 9700 §4.1, RFC 9207: no spelling of a parameter of the answer stands in a redirect URI', () => {
  const name = fc.constantFrom(...answered).chain(spelled)
  const before = fc.constantFrom('', 'x=1&', 'x=1;', '&', 'a=b&c&', '+', '%20')
  const after = fc.constantFrom('', '=', '=x', '&y', '[]=1', '%5B0%5D=1', ';', '%20=1')
  const where = fc.constantFrom(`${base}/cb`, 'http://127.0.0.1/cb', 'com.example.app:/cb', base)
  fc.assert(
    fc.property(where, before, name, after, (at, head, taken, tail) => {
      const uri = `${at}?${head}${taken}${tail}`
      assert.match(redirectUriProblem(uri, 'native', rules) ?? 'passed', /in its query/, uri)
    }),
    { numRuns: 2000 },
  )
})

test('a parameter that only resembles one of the answer is taken', () => {
  for (const query of ['xcode=1', 'code2=1', 'statement', 'is=s', 'x=code', 'x=state%26code%3D1', 'scopes=a'])
    assert.equal(redirectUriProblem(`${base}/cb?${query}`, 'web', rules), null, query)
})

test('Front-Channel Logout §3, OIDC Core §4: an address has none of the parameters that we add to it', () => {
  for (const query of ['iss=x', '%69ss', 'sid=1', 'x=1&SID=2'])
    assert.deepEqual(fieldsOf({ frontchannel_logout_uri: `${base}/out?${query}` }), ['frontchannel_logout_uri'])
  for (const query of ['iss=x', 'login_hint=a', 'target%5flink_uri=b'])
    assert.deepEqual(fieldsOf({ initiate_login_uri: `${base}/in?${query}` }), ['initiate_login_uri'])
})

test('OIDC Registration §2: where a sign-in that others begin starts is https, also on this machine', () => {
  assert.deepEqual(fieldsOf({ initiate_login_uri: 'https://localhost:9000/in' }), [])
  for (const uri of ['http://localhost:9000/in', 'http://127.0.0.1/in', 'http://client.example/in'])
    assert.deepEqual(fieldsOf({ initiate_login_uri: uri }), ['initiate_login_uri'])
})

test('what is taken means the same to a URL parser: host, path, and nobody in front of the host', () => {
  const piece = fc.constantFrom(
    ...words('https http : / // @ . .. %2e %2f \\ # ? a b.example localhost 127.0.0.1 [::1] :80 %00 * ; = & é +'),
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 8 }).map((pieces) => `https://a.example/${pieces.join('')}`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  )
  fc.assert(
    fc.property(text, (uri) => {
      const parsed = parseUri(uri)
      if (parsed.kind === 'error' || !/^https?$/.test(parsed.value.scheme)) return
      const url = new URL(uri)
      const { authority, path, query } = parsed.value
      assert.equal(`${url.username}${url.password}${url.hash}`, '')
      assert.equal(url.pathname, path === '' ? '/' : path)
      assert.equal(url.search.slice(1), (query ?? '').replaceAll("'", '%27'))
      assert.ok(authority?.toLowerCase().startsWith(url.hostname), uri)
    }),
    { numRuns: 5000 },
  )
})

for (const scheme of words(
  'javascript data vbscript file blob filesystem about view-source intent ws ftp mailto tel chrome edge microsoft-edge',
  'microsoft-edge-holographic googlechrome googlechromes firefox firefox-focus brave opera-http opera-https jnlp jnlps',
  'onenote onenote-cmd content ms-word ms-excel ms-powerpoint ms-msdt ms-settings ms-officecmd search-ms x-apple.systempreferences',
  'x-web-search itms-apps itms-services facetime shortcuts workflow zoommtg slack steam skype tg whatsapp android-app market',
  'urn tag cid mid res jar mk its ssh git sftp ldap smb nfs web+app web+coffee ext+container myapp app a.b-c. com..app .com',
  'com.-app com.app- x-y.example 1com.example',
))
  test(`RFC 8252 §7.1: the scheme ${scheme} is not an app's own`, () => {
    assert.equal(typeof redirectUriProblem(`${scheme}:/cb`, 'native', rules), 'string')
    assert.equal(typeof redirectUriProblem(`${scheme}://host/cb`, 'native', rules), 'string')
  })

test('docs/registration.md: the editors that people connect with are called back by their plain names', () => {
  for (const scheme of ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed'])
    assert.equal(redirectUriProblem(`${scheme}://x/cb`, 'native', rules), null, scheme)
  assert.notEqual(redirectUriProblem('emacs://x/cb', 'native', rules), null)
})

test('registration.schemes adds plain names, and never those of script, files or the web', () => {
  const more = { ...rules, schemes: new Set(['myapp']) }
  assert.equal(redirectUriProblem('myapp:/cb', 'native', more), null)
  assert.equal(redirectUriProblem('MyApp://cb', 'native', more), null)
  assert.notEqual(redirectUriProblem('cursor://x/cb', 'native', more), null)
  for (const word of ['javascript', 'https', 'file', 'microsoft-edge', 'MyApp', 'my app', 'x', 'my:app', ''])
    assert.equal(typeof appSchemeProblem(word), 'string', word)
  assert.equal(appSchemeProblem('myapp'), null)
})

for (const uri of [
  'com.example.app:cb',
  'com.example.app:',
  'cursor:cb',
  'com.example.app:/../cb',
  'com.example.app:/*',
])
  test(`RFC 8252 §7.1: a native client cannot register ${uri}`, () =>
    assert.equal(typeof redirectUriProblem(uri, 'native', rules), 'string'))

test('the ends of an address: its length, its port, and who stands before its host', () => {
  const problem = (text: string) => uriProblem(text) ?? 'none'
  assert.equal(problem('https://a.example/'.padEnd(2048, 'x')), 'none')
  assert.equal(problem('https://a.example/'.padEnd(2049, 'x')), 'is too long')
  assert.equal(problem('https://a.example:65535/'), 'none')
  for (const text of ['https://a.example:65536/', 'https://a.example:0/', 'https://127.1/'])
    assert.notEqual(problem(text), 'none', text)
  for (const text of ['https://u@a.example/', 'https://u:p@a.example/', 'com.example.app://u@x/'])
    assert.equal(problem(text), 'must not hold a user name or password', text)
  for (const text of ['http:/a.example/', 'https:///cb'])
    assert.equal(problem(text), 'must have two slashes and a host after its scheme', text)
  assert.equal(problem('https://a.example/#x'), 'must not have a fragment')
  for (const text of ['https://a.example/%', 'https://a.example/%2', 'https://a.example/%zz'])
    assert.equal(problem(text), 'must hold % only before two hexadecimal digits', text)
  assert.equal(problem('https://a.example/%ff'), 'must be UTF-8 where it is percent-encoded')
  assert.equal(problem('com.example.app:x'), 'must have a slash after its scheme')
})
