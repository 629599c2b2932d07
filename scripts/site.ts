/** Builds the documentation as a site into dist/site (`npm run site`), or shows it (`npm run site -- --serve`). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './site/build.ts'
import { siteServer } from './site/serve.ts'

const { values } = parseArgs({
  options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '8480' } },
})
const site = buildSite()
for (const problem of site.problems) console.error(problem)
if (site.problems.length > 0) process.exitCode = 1

if (values.serve) {
  const server = siteServer(site)
  server.listen(Number(values.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${values.port}/`))
} else {
  const output = join(import.meta.dirname, '../dist/site')
  rmSync(output, { recursive: true, force: true })
  for (const [name, content] of site.files) {
    mkdirSync(dirname(join(output, name)), { recursive: true })
    writeFileSync(join(output, name), content)
  }
  console.log(`${site.files.size} files in dist/site`)
}
