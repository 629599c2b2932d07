/** Writes the types of the admin API from its own description: a server is started, asked for it, and stopped. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compose, listen, loadSettings } from '@grantor/server'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'

const file = join(import.meta.dirname, '../src/api/schema.d.ts')

async function description(): Promise<OpenAPI3> {
  const data = mkdtempSync(join(tmpdir(), 'grantor-types-'))
  try {
    const env = { GRANTOR_DATA: data, GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0', GRANTOR_MTLS_PORT: 'off' }
    const loaded = loadSettings({ env: { ...env, GRANTOR_LOG: 'silent' }, flags: {}, cwd: data })
    if (loaded.kind === 'error') throw new Error(loaded.error.join('\n'))
    const server = await listen(await compose(loaded.value.settings, 'server'))
    try {
      const ca = server.caFile === null ? undefined : readFileSync(server.caFile)
      return await new Promise<OpenAPI3>((resolve, reject) => {
        get(`${server.issuer}/openapi.json`, { ca }, (answer) => {
          text(answer).then((body) => resolve(JSON.parse(body) as OpenAPI3), reject)
        }).on('error', reject)
      })
    } finally {
      await server.close()
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const types = astToString(await openapiTypes(await description(), { alphabetize: true }))
writeFileSync(file, `/** The admin API, by build/api-types.ts. */\n${types}`)
