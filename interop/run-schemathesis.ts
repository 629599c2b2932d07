/** `npm run schemathesis [minutes]`: the long run against both OpenAPI documents, on a server of its own. */
import { openDemoApis } from './demo-apis.ts'
import { ensureSchemathesis, runSchemathesis } from './schemathesis.ts'

const minutes = Number(process.argv[2] ?? 20)
const missing = ensureSchemathesis()
if (missing !== null) throw new Error(missing)
await using apis = await openDemoApis()
for (const api of [apis.orders, apis.admin]) {
  const run = { caFile: apis.caFile, examples: 1000, seconds: minutes * 30 }
  const { code, output } = await runSchemathesis(api, run)
  console.log(`${api.name}\n${output}`)
  if (code !== 0) process.exitCode = 1
}
