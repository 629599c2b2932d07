/** Problem details: the document, its headers and the catalogue. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProblem, problem, problemDocument, problemHeaders } from '../../src/http/problem.ts'
import { type ProblemSlug, type ProblemType, problemTypeOf, problemTypes } from '../../src/http/problem-types.ts'

const place = { origin: 'https://api.example.com', requestId: '0192f0c4-0000-7000-8000-000000000000' }

test('RFC 9457 §3.1: the document has its members, and its status is the status of the answer', () => {
  const refused = problem('validation-error', 'One field is wrong.', {
    errors: [{ pointer: '#/items/0/qty', code: 'minimum', detail: 'must be ≥ 1' }],
  })
  assert.deepEqual(problemDocument(refused, place), {
    type: 'https://api.example.com/problems/validation-error',
    title: 'Request does not fit the schema',
    status: 400,
    detail: 'One field is wrong.',
    instance: 'urn:uuid:0192f0c4-0000-7000-8000-000000000000',
    code: 'validation_error',
    errors: [{ pointer: '#/items/0/qty', code: 'minimum', detail: 'must be ≥ 1' }],
  })
})

test('RFC 9457 §4.2: a type that IANA registers keeps its registered URI', () => {
  assert.equal(
    problemDocument(problem('quota-exceeded', 'Slow down.'), place)['type'],
    'https://iana.org/assignments/http-problem-types#quota-exceeded',
  )
})

test('RFC 9457 §3.2: an extension member never replaces a standard one', () => {
  const refused = problem('conflict', 'Paid already.', { members: { status: 200, code: 'fine', order: 'o1' } })
  const document = problemDocument(refused, place)
  assert.equal(document['status'], 409)
  assert.equal(document['code'], 'conflict')
  assert.equal(document['order'], 'o1')
})

test('RFC 6585 §3, §4: what concerns a caller or a fault is never stored', () => {
  for (const slug of Object.keys(problemTypes) as ProblemSlug[]) {
    const refused = problem(slug, 'x')
    const kept = problemHeaders(refused)['cache-control'] !== 'no-store'
    assert.equal(kept, ![401, 403, 428, 429].includes(refused.status) && refused.status < 500, slug)
  }
})

test('every type has a title, an explanation and a status of 4xx or 5xx, and is found by slug and by its codes', () => {
  for (const [slug, type] of Object.entries(problemTypes) as [ProblemSlug, ProblemType][]) {
    assert.ok(type.status >= 400 && type.status < 600, slug)
    assert.ok(type.title.length > 0 && type.explanation.length > 0, slug)
    assert.equal(problemTypeOf(slug)?.slug, slug)
    assert.equal(problemTypeOf(type.codes[0])?.slug, slug)
    for (const code of type.codes) {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/)
      assert.notEqual(problemTypeOf(code), null)
    }
  }
  assert.equal(problemTypeOf('nothing'), null)
  assert.equal(problemTypeOf('__proto__'), null)
})

test('a problem is told from other values', () => {
  assert.equal(isProblem(problem('not-found', 'x')), true)
  const sent: unknown = JSON.parse('{"kind":"problem","slug":"not-found","status":200}')
  for (const other of [null, undefined, 1, 'problem', {}, { kind: 'order' }, sent])
    assert.equal(isProblem(other), false)
})
