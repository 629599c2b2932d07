/** `grantor api check`: what opens an API lies in files, where nobody sees it in the list of processes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { check, json, serve, things } from './checked-api.ts'
import { folder } from './grantor.ts'

test('tokens are taken from files, without the line end; a file and an argument for the same are refused', async () => {
  using here = folder()
  here.write('token', 'a-token\n')
  here.write('narrow', 'a-narrow-token\n')
  const [token, narrow] = [join(here.path, 'token'), join(here.path, 'narrow')]
  await using api = await serve((request, response) =>
    json(response, 200, request.url === '/openapi.json' ? things : { items: [], next_cursor: null }),
  )
  const { printed } = await check(api.url, '--token-file', token, '--scopeless-token-file', narrow)
  assert.ok(printed !== null)
  const sent = new Set(api.requests.map(({ authorization }) => authorization))
  assert.ok(sent.has('Bearer a-token') && sent.has('Bearer a-narrow-token'), [...sent].join(', '))
  const both = await check(api.url, '--token-file', token, '--token', 'a-token')
  assert.deepEqual([both.code, /--token and --token-file are the same/.test(both.stderr)], [2, true], both.stderr)
  const nowhere = await check(api.url, '--client-id', 'x', '--secret-file', join(here.path, 'nowhere'))
  assert.deepEqual([nowhere.code, /there is no file/.test(nowhere.stderr)], [3, true], nowhere.stderr)
})
