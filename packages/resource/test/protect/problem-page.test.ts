/** The pages behind `type`: all that a problem says of itself, and nothing for other names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemTypes } from '@grantor/protocol/http'
import { problemPage, problemPageResponse } from '../../src/protect/problem-page.ts'

test('each type has a page with its title, status, name, explanation and codes', () => {
  for (const [slug, type] of Object.entries(problemTypes)) {
    const page = problemPage(slug) ?? ''
    assert.ok(page.includes(`<title>${type.title}</title>`), slug)
    assert.ok(page.includes(`<h1>${type.title}</h1>`), slug)
    assert.ok(page.includes(`<p><strong>${type.status}</strong> <code>${slug}</code></p>`), slug)
    for (const code of type.codes) {
      assert.ok(page.includes(`<li><code>${code}</code></li>`), code)
      assert.notEqual(problemPage(code), null)
    }
    const listed = type.codes.map((code) => `<li><code>${code}</code></li>`)
    assert.equal(/<ul>(.*)<\/ul>/.exec(page)?.[1], listed.join(''), 'and nothing else')
    const [, said = ''] = /<p>([^]*?)<\/p>\n<h2>/.exec(page.slice(page.indexOf('</p>') + 4)) ?? []
    const plain = said
      .replaceAll(/<\/?code>/g, '`')
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    assert.equal(plain, type.explanation)
    assert.doesNotMatch(said.replaceAll(/<\/?code>/g, ''), /[<"`]/)
  }
})

test('a page is for anyone to read and to keep for a while; another path is none', () => {
  const [slug = ''] = Object.keys(problemTypes)
  const response = problemPageResponse(`/problems/${slug}`)
  assert.equal(response?.status, 200)
  assert.deepEqual(Object.fromEntries(new Headers(response?.headers as Record<string, string>)), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=300',
  })
  for (const path of ['/problems/', '/problems/x', `/x/problems/${slug}`, `/${slug}`, ''])
    assert.equal(problemPageResponse(path), null, path)
})
