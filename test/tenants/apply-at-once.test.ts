/** Two people apply two files at the same moment, by two real commands: one file is there whole, never a mixture. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Environment, runCommand, temporaryFolder } from '../../interop/server.ts'
import { masterKey } from '../fleet/fleet.ts'

const api = 'https://api.example'
/** The same objects, every one of them marked by its author. */
const fileOf = (author: string) => {
  const objects = {
    resources: [{ identifier: api, name: author }],
    scopes: Array.from({ length: 8 }, (_, n) => ({ name: `s${n}:read`, description: author, resource: api })),
    clients: Array.from({ length: 8 }, (_, n) => ({
      client_id: `c${n}`,
      client_name: author,
      client_secret: `zz9canary-secret-of-32-characters-${author}`,
      grant_types: ['client_credentials'],
    })),
  }
  return { ...objects, tenants: ['acme', 'globex'].map((id) => ({ id, name: author, ...objects })) }
}

async function race(env: Environment): Promise<void> {
  using folder = temporaryFolder()
  const options = { data: folder.path, env }
  assert.equal((await runCommand(['apply', folder.write('first.json', fileOf('nobody'))], options)).code, 0)
  const files = ['ada', 'bob'].map((author) => folder.write(`${author}.json`, fileOf(author)))
  const ended = await Promise.all(files.map((file) => runCommand(['apply', file], options)))
  for (const { code, stderr } of ended) assert.equal(code, 0, stderr)
  const { stdout } = await runCommand(['export', '--json'], options)
  const authors = ['nobody', 'ada', 'bob'].filter((author) => stdout.includes(`"${author}"`))
  assert.equal(authors.length, 1, `the result is of ${authors.join(' and ')}`)
  assert.notEqual(authors[0], 'nobody')
  assert.equal((await runCommand(['audit', 'verify'], options)).code, 0)
}

test('SQLite: two people applying at once do not mix', () => race({}))

test('PostgreSQL: two people applying at once do not mix', async () => {
  await using database = await temporaryDatabase()
  await race({ ...database.settings, GRANTOR_MASTER_KEY: masterKey })
})
