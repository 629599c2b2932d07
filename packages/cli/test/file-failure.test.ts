/** What the operating system says of a file, as a person reads it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileFailure } from '../src/program/file-failure.ts'

const failed = (code: string, syscall: string) =>
  fileFailure(Object.assign(new Error(code), { code, syscall, path: '/data' }))

test('a folder that cannot be made is not said to be absent, and what is absent is', () => {
  const made = failed('ENOENT', 'mkdir')
  assert.equal(made?.error.what, '/data cannot be made (ENOENT)')
  assert.match(made.error.fix ?? '', /may be written/)
  assert.equal(failed('ENOENT', 'open')?.error.what, '/data is not there (ENOENT)')
  assert.match(failed('EROFS', 'open')?.error.what ?? '', /read-only/)
})

test('what is no error of a call about a file is none of these', () => {
  for (const error of [new Error('bug'), 'text', Object.assign(new Error('x'), { code: 'ENOENT' })])
    assert.equal(fileFailure(error), null)
})
