/** What the operator's log keeps where an authorization request cannot go on: why, and not what was sent. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { deploy, redirectUri } from './deployment.ts'

type Query = Readonly<Record<string, string>>

test('a log that is kept says why an app was refused, and nothing of what it sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-log-'))
  const file = join(folder, 'log')
  try {
    await using deployment = await deploy({ GRANTOR_LOG: 'info', GRANTOR_LOG_FILE: file }, 1)
    const begin = (query: Query, headers: Query = {}) =>
      deployment.send(`/authorize?${new URLSearchParams({ response_type: 'code', ...query }).toString()}`, { headers })
    const asked = [
      await begin({ client_id: 'nobody', redirect_uri: redirectUri }),
      await begin({ client_id: 'framed', redirect_uri: 'https://me:word@other.example/cb?key=zz9#zz9' }),
      await begin({ redirect_uri: redirectUri }),
      await begin({ client_id: 'x'.repeat(5000), redirect_uri: 'not an address\u001b[2J' }),
      await begin({ client_id: 'nobody', redirect_uri: redirectUri }, { host: 'id.example' }),
    ]
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([400]))
    const lines = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'a person was shown an error' || msg === 'an app of this machine was refused')
    for (let tries = 0; tries < 100 && lines().length < asked.length; tries++) await pause(20)
    assert.deepEqual(
      lines().map(({ reason }) => reason),
      ['client_unknown', 'redirect_uri_unregistered', 'parameter_missing', 'parameter_malformed', 'client_unknown'],
    )
    assert.doesNotMatch(readFileSync(file, 'utf8'), /nobody|other\.example|client\.example|zz9|word/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
