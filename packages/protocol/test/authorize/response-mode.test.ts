/** How an answer travels, by the word that was asked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  byForm,
  isSigned,
  responseModeFor,
  responseModes,
  signedResponseModes,
} from '../../src/authorize/response-mode.ts'

test('an answer travels as it was asked for, where that can be', () => {
  const [web, app] = ['https://client.example/cb', 'com.example.app:/cb']
  const rows = [
    [undefined, web, 'query'],
    ['query', web, 'query'],
    ['form_post', web, 'form_post'],
    ['jwt', web, 'query.jwt'],
    ['query.jwt', app, 'query.jwt'],
    ['form_post.jwt', web, 'form_post.jwt'],
    ['form_post', app, null],
    ['form_post.jwt', app, null],
    ['fragment', web, null],
    ['toString', web, null],
  ] as const
  for (const [word, uri, mode] of rows) assert.equal(responseModeFor(word, uri), mode, word ?? 'none')
  assert.deepEqual((['query', 'form_post', 'query.jwt', 'form_post.jwt'] as const).map(byForm), [
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual((['query', 'form_post', 'query.jwt', 'form_post.jwt'] as const).map(isSigned), [
    false,
    false,
    true,
    true,
  ])
})

test('the words that a document names', () => {
  assert.deepEqual(responseModes, ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'])
  assert.deepEqual(signedResponseModes, ['jwt', 'query.jwt', 'form_post.jwt'])
})
