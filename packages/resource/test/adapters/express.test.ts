/** What Express alone has: an answer that somebody else gave meanwhile goes to its errors, and ends nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import express from 'express'
import { err } from '@grantor/protocol/result'
import { expressResource, guard } from '../../src/adapters/express.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import { rejection } from '../../src/validate/rejections.ts'
import type { Validator } from '../../src/validate/validator.ts'
import { serve } from '../adapters.ts'

const audience = 'https://notes.example'

test('a request that is answered by somebody else while the guard waits is an error of the application’s, and no more', async () => {
  const verdict = Promise.withResolvers<Verdict>()
  const validator = { validate: () => verdict.promise, record() {} } as unknown as Validator
  const resource = protectedResource({
    validator,
    audience,
    name: 'Notes',
    issuers: ['https://as.example'],
    scope: 'a',
  })
  for (const middleware of [guard({ validator, audience }, 'read'), expressResource(resource)]) {
    const failed = Promise.withResolvers<unknown>()
    const app = express()
      .use((_, response, next) => {
        next()
        response.status(504).send('late')
      })
      .use(middleware)
      .use(((error, _request, _response, _next) => failed.resolve(error)) satisfies express.ErrorRequestHandler)
    const answer = await fetch(await serve(app), { headers: { authorization: 'Bearer x' } })
    assert.equal(await answer.text(), 'late')
    verdict.resolve(err(rejection('invalid_token')))
    assert.equal(((await failed.promise) as NodeJS.ErrnoException).code, 'ERR_HTTP_HEADERS_SENT')
  }
})
