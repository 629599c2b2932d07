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
  const status = await api.status()
  // A run that ended its own token tried little after that.
  if (status !== 200) console.log(`${api.name}: the token was ended meanwhile (${status})`)
  if (code !== 0 || status !== 200) process.exitCode = 1
}
