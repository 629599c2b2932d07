import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProblemType, problemTypes } from '@grantor/protocol/http'
import { defaultTheme, landingPage, languages, type PageContext } from '../../src/pages/index.ts'
import { problemOf, problems } from '../../src/pages/problems/list.ts'
import { problemIndexPage, problemPage } from '../../src/pages/problems/page.ts'

/** The registered error codes of what we implement (IANA, OAuth Extensions Error Registry, and the texts themselves). */
const registered = {
  'RFC 6749':
    'invalid_request unauthorized_client access_denied unsupported_response_type invalid_scope server_error temporarily_unavailable invalid_client invalid_grant unsupported_grant_type',
  'RFC 6750': 'invalid_token insufficient_scope',
  'RFC 7009': 'unsupported_token_type',
  'RFC 7591': 'invalid_redirect_uri invalid_client_metadata invalid_software_statement unapproved_software_statement',
  'RFC 8628': 'authorization_pending slow_down access_denied expired_token',
  'RFC 8707': 'invalid_target',
  'RFC 9396': 'invalid_authorization_details',
  'RFC 9449': 'invalid_dpop_proof use_dpop_nonce',
  'OpenID Connect Core':
    'interaction_required login_required account_selection_required consent_required invalid_request_uri invalid_request_object request_not_supported request_uri_not_supported registration_not_supported',
}

test('every registered error code of what we speak has its text', () => {
  for (const [text, codes] of Object.entries(registered)) {
    assert.deepEqual(
      codes.split(' ').filter((code) => problemOf(code)?.code !== code),
      [],
      text,
    )
  }
})

test('every problem type of the resource conventions has its text, with its status', () => {
  for (const [slug, type] of Object.entries<ProblemType>(problemTypes)) {
    const text = problemOf(slug)
    assert.equal(text?.family, 'api', slug)
    assert.ok(text.status?.startsWith(String(type.status)), slug)
    for (const code of type.codes) assert.notEqual(problemOf(code), null, code)
  }
})

test('no code has two texts, and each says what happened, why and what to do', () => {
  assert.equal(new Set(problems.map((problem) => problem.code)).size, problems.length)
  for (const problem of problems) {
    assert.match(problem.code, /^[a-z][a-z_-]*$/)
    assert.ok(problem.why.length > 0 && problem.remedy.length > 0, problem.code)
    for (const text of [problem.title, problem.happened, ...problem.why, ...problem.remedy])
      assert.match(text, /^\S.*[.]$/, text)
  }
})

test('what is English on a page from right to left runs from left to right, to its full stops', () => {
  const { ar } = languages
  const context: PageContext = { base: '', theme: defaultTheme, language: ar, languageLinks: [] }
  const [problem] = problems
  assert.ok(problem)
  for (const { text } of [problemPage(context, problem), problemIndexPage(context)])
    for (const [tag] of text.matchAll(/<\w+[^>]*lang="en"[^>]*>/g)) assert.match(tag, /dir="ltr"/)
  const line = 'https://localhost:8444/client/'
  const { text } = landingPage(context, { issuerPath: '', steps: [{ does: 'browser', line }] })
  assert.ok(text.includes(`<bdi dir="ltr">${line}</bdi>`))
})

test('a name that is no code has no text', () => {
  for (const name of ['', 'constructor', '__proto__', '<script>', 'invalid_request '])
    assert.equal(problemOf(name), null)
})
