/** The map is a test: docs/conformance.md claims no test that is not there, and none of the certification modules is left out. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testedClauses, testedModules } from '../scripts/conformance.ts'

const page = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8')

test('docs/conformance.md names only tests that are there (`npm run docs` writes it)', () => {
  const there = new Set(testedClauses().map(({ clause, title, file }) => `| ${clause} | ${title} | \`${file}\` |`))
  const rows = page.split('\n').filter((line) => /^\| (?:RFC|OIDC|OAuth)\b/.test(line))
  assert.ok(rows.length > 100)
  assert.deepEqual(
    rows.filter((row) => !there.has(row)),
    [],
  )
})

/** The plan as it is published, in its order. */
const plan = `oidcc-server oidcc-response-type-missing oidcc-idtoken-signature oidcc-idtoken-unsigned oidcc-userinfo-get
oidcc-userinfo-post-header oidcc-userinfo-post-body oidcc-ensure-request-without-nonce-succeeds-for-code-flow
oidcc-scope-profile oidcc-scope-email oidcc-scope-address oidcc-scope-phone oidcc-scope-all
oidcc-ensure-other-scope-order-succeeds oidcc-display-page oidcc-display-popup oidcc-prompt-login
oidcc-prompt-none-not-logged-in oidcc-prompt-none-logged-in oidcc-max-age-1 oidcc-max-age-10000
oidcc-ensure-request-with-unknown-parameter-succeeds oidcc-id-token-hint oidcc-login-hint oidcc-ui-locales
oidcc-claims-locales oidcc-ensure-request-with-acr-values-succeeds oidcc-codereuse oidcc-codereuse-30seconds
oidcc-ensure-registered-redirect-uri oidcc-ensure-post-request-succeeds oidcc-server-client-secret-post
oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported
oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported oidcc-claims-essential
oidcc-ensure-request-object-with-redirect-uri oidcc-refresh-token oidcc-ensure-request-with-valid-pkce-succeeds`

test('every module of the Basic plan has its test and its row', () => {
  const modules = plan.split(/\s+/)
  assert.deepEqual(testedModules(), modules)
  for (const name of modules) assert.ok(page.includes(`| \`${name}\` |`), name)
})
