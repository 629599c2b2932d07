/** The words of `prompt`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt, prompts } from '../../src/authorize/prompt.ts'

test('OIDC Core §3.1.2.1: the words, each for itself, and none beside others', () => {
  assert.deepEqual(prompts, ['none', 'login', 'consent', 'select_account'])
  for (const word of prompts) assert.deepEqual(parsePrompt(word), { kind: 'ok', value: [word] })
  assert.deepEqual(parsePrompt(undefined), { kind: 'ok', value: [] })
  assert.deepEqual(parsePrompt('consent login'), { kind: 'ok', value: ['login', 'consent'] })
  for (const text of ['none login', 'create', 'login create', 'Login'])
    assert.equal(parsePrompt(text).kind, 'error', text)
})
