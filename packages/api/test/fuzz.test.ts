/** A bounded fuzz from the description: nothing a client sends is a fault of ours, and every refusal is a problem. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { requestsOf } from './fuzzing.ts'
import { all, sample } from './sample.ts'

/** `npm run fuzz` sets more. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1500)

test('no request made from the description is answered with a 5xx, and every error is a problem', async () => {
  const { api, client, put, faults } = sample({ server: { limits: { client: null } } })
  for (const id of ['a', 'p1']) put(id)
  const document = JSON.parse(api.openapi) as Record<string, unknown>
  const seen = new Set<number>()
  const answered = fc.asyncProperty(requestsOf(document), async (request) => {
    const got = await client({ ...request, as: { scope: all } })
    seen.add(got.status)
    assert.ok(got.status < 500, `${got.status} ${String(faults.at(-1))}`)
    if (got.status >= 400) {
      assert.equal(got.headers['content-type'], 'application/problem+json')
      if (request.method !== 'HEAD') assert.equal(got.json()['status'], got.status)
    }
  })
  // A fuzz that is only refused tests nothing; chance is given a few rounds to find every status.
  const statuses = [200, 201, 400, 404, 412]
  for (let round = 0; round < 6 && !statuses.every((status) => seen.has(status)); round++) {
    await fc.assert(answered, { numRuns })
  }
  assert.deepEqual(faults, [])
  for (const status of statuses) assert.ok(seen.has(status), `never saw ${status}`)
})
