/** Schemathesis makes requests of both OpenAPI documents: every answer is one that the document tells of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DescribedApi, openDemoApis } from '../demo-apis.ts'
import { ensureSchemathesis, runSchemathesis } from '../schemathesis.ts'

const missing = ensureSchemathesis()

test(
  'Schemathesis gets nothing but documented answers from Orders and from the admin API',
  { skip: missing ?? false },
  async () => {
    await using apis = await openDemoApis()
    // Side by side: most of a run is waiting, for the other side and for quotas.
    const run = async (api: DescribedApi): Promise<void> => {
      const { code, output } = await runSchemathesis(api, { caFile: apis.caFile, examples: 3, seconds: 20 })
      assert.equal(code, 0, `${api.name}:\n${output}`)
      // It ran: a document that describes nothing would pass as well.
      assert.match(output, /Operations:\s+[1-9]\d* selected/)
      assert.match(output, /✅ Stateful|Stateful \(/)
    }
    await Promise.all([run(apis.orders), run(apis.admin)])
  },
)
