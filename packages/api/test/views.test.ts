/** Views that answer with another type than JSON: asked for by that type, and described with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ok } from '@grantor/protocol/result'
import { apiResponse, jsonResponse } from '@grantor/resource/http'
import { Type } from 'typebox'
import type { ViewPlan } from '../src/index.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { sample } from './sample.ts'

const csv: ViewPlan = {
  summary: 'The parcels from a place on, as a table',
  type: 'text/csv',
  id: Type.String({ pattern: '^[0-9]+$', examples: ['0'] }),
  show: (id) => ok(apiResponse(200, { 'content-type': 'text/csv' }, `place\n${id}\n`)),
}
const route: ViewPlan = { summary: 'Its route', show: (id) => ok(jsonResponse(200, { id })) }
const plan = { views: { csv, route } }

onEveryAdapter(
  'a view is asked for by its own type, and any other operation by JSON',
  async (adapter) => {
    for (const [url, accept, status, type] of [
      ['/v1/parcels/7/csv', 'text/csv', 200, 'text/csv'],
      ['/v1/parcels/7/csv', 'text/*;q=0.5, application/json;q=0', 200, 'text/csv'],
      ['/v1/parcels/7/csv', '*/*', 200, 'text/csv'],
      ['/v1/parcels/7/csv', 'application/json', 406, 'application/problem+json'],
      ['/v1/parcels/7/route', 'application/json', 200, 'application/json'],
      ['/v1/parcels/7/route', 'text/csv', 406, 'application/problem+json'],
      ['/v1/parcels', 'text/csv', 406, 'application/problem+json'],
    ] as const) {
      const got = await adapter.send(url, { headers: { accept } })
      assert.deepEqual([got.status, got.headers['content-type']], [status, type], `${url} ${accept}`)
      const offered = url.endsWith('csv') ? 'text/csv' : 'application/json'
      if (status === 406) assert.equal(got.json['detail'], `This operation answers with ${offered}.`)
    }
  },
  { plan },
)

test('a view is described with its type, and with what stands for its id', async () => {
  interface View {
    readonly parameters: readonly { readonly schema: unknown; readonly example?: string }[]
    readonly get: { readonly responses: { readonly '2XX': { readonly content: unknown } } }
  }
  const document = JSON.parse(sample({ plan }).api.openapi) as { readonly paths: Readonly<Record<string, View>> }
  const described = (view: string) => {
    const at = document.paths[`/v1/parcels/{id}/${view}`]
    const [id] = at?.parameters ?? []
    return { content: at?.get.responses['2XX'].content, schema: id?.schema, example: id?.example }
  }
  assert.deepEqual(described('csv'), {
    content: { 'text/csv': { schema: { type: 'string' } } },
    schema: { type: 'string', pattern: '^[0-9]+$', examples: ['0'] },
    example: undefined,
  })
  assert.deepEqual(described('route'), {
    content: { 'application/json': { schema: {} } },
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
    example: 'p1',
  })
  const { valid, errors } = await new Validator().validate({ ...document })
  assert.ok(valid, JSON.stringify(errors))
})
