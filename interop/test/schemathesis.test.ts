/** Schemathesis makes requests of both OpenAPI documents: every answer is one that the document tells of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoApis } from '../demo-apis.ts'
import { ensureSchemathesis, runSchemathesis } from '../schemathesis.ts'

const missing = ensureSchemathesis()

test(
  'Schemathesis gets nothing but documented answers from Orders and from the admin API',
  { skip: missing ?? false },
  async () => {
    await using apis = await openDemoApis()
    for (const api of [apis.orders, apis.admin]) {
      const { code, output } = await runSchemathesis(api, { caFile: apis.caFile, examples: 5, seconds: 25 })
      assert.equal(code, 0, `${api.name}:\n${output}`)
      // It ran: a document that describes nothing would pass as well.
      assert.match(output, /Operations:\s+[1-9]\d* selected/)
      assert.match(output, /✅ Stateful|Stateful \(/)
    }
  },
)
