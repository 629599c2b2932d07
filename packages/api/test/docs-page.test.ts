/** The description as a page: for everybody, without a script, and whatever a document says stays text. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { docsPage } from '../src/openapi/docs-page.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { sample } from './sample.ts'

onEveryAdapter('/docs shows the OpenAPI document to anybody, by a policy that admits nothing else', async (adapter) => {
  const got = await adapter.send('/docs', { as: null })
  assert.deepEqual([got.status, got.headers['content-type']], [200, 'text/html; charset=utf-8'])
  const policy = got.headers['content-security-policy'] ?? ''
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(got.text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  assert.doesNotMatch(got.text, /<script|<img|https?:\/\/|style="|<link/)
  assert.match(got.text, /href="\/openapi\.json"/)
  assert.equal((await adapter.send('/docs', { method: 'POST', as: null, body: {} })).status, 405)
})

test('every operation, parameter, status and schema of the document is on the page, and every link leads somewhere', () => {
  const { api } = sample()
  const page = docsPage(api.openapi, '/openapi.json')
  const { paths, components } = JSON.parse(api.openapi) as {
    paths: Record<string, Record<string, { operationId: string; parameters?: { name?: string }[] }>>
    components: { schemas: object }
  }
  for (const [path, item] of Object.entries(paths)) {
    assert.ok(page.includes(`<code>${path}</code>`), path)
    for (const [method, operation] of Object.entries(item).filter(([name]) => name !== 'parameters')) {
      assert.ok(page.includes(`<details id="${operation.operationId}">`), `${method} ${path}`)
      for (const { name } of operation.parameters ?? [])
        if (name !== undefined) assert.ok(page.includes(`<code>${name}</code>`), name)
    }
  }
  // Answers that several share are told in words, not by the name of what they share.
  assert.match(page, /<strong>404<\/strong><\/td><td>(?!Problem)[A-Z]/)
  assert.doesNotMatch(page, /<td>Problem\d/)
  for (const name of Object.keys(components.schemas)) assert.ok(page.includes(`id="schema-${name}"`), name)
  for (const [, to = ''] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(page.includes(`id="${to}"`), to)
})

test('what a document says stays text, wherever it says it', () => {
  const evil = 'x">y<script>alert(1)</script>\'&'
  const document = JSON.stringify({
    info: { title: evil, version: evil, description: evil },
    paths: {
      [`/v1/${evil}`]: {
        get: {
          operationId: evil,
          tags: [evil],
          summary: evil,
          security: [{ oauth2: [evil] }],
          parameters: [
            { name: evil, in: evil, description: evil, schema: { type: evil, enum: [evil], pattern: evil } },
          ],
          requestBody: { content: { [evil]: { schema: { properties: { [evil]: { $ref: `#/x/${evil}` } } } } } },
          responses: { [evil]: { description: evil, content: { a: { schema: { anyOf: [{ type: evil }] } } } } },
        },
      },
    },
    components: { schemas: { [evil]: { type: 'object', properties: { [evil]: { description: evil } } } } },
  })
  const page = docsPage(document, evil)
  assert.doesNotMatch(page, /<script/)
  assert.ok(!page.includes(evil) && !page.includes(evil.slice(0, 4)))
  assert.ok(page.includes('&lt;script&gt;'))
})

onEveryAdapter(
  'where it is not wanted there is no such page',
  async (adapter) => assert.equal((await adapter.send('/docs', { as: null })).status, 404),
  { server: { pages: { docs: false } } },
)
