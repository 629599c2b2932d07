import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../src/oauth/form.ts'
import { presentedToken, secretPrefix, tokenShape } from '../../src/oauth/token-shape.ts'
import { err, ok } from '../../src/result.ts'

for (const [token, shape] of [
  ['aaa.bbb.ccc', 'jwt'],
  ['ga_abc', 'access'],
  ['gr_abc', 'refresh'],
  ['gk_abc', 'api_key'],
  ['gc_abc', 'unsupported'],
  ['gs_abc', 'unsupported'],
  ['gd_abc', 'unsupported'],
  ['gx_abc', 'unsupported'],
  ['gm_abc', 'unsupported'],
  ['gt_abc', 'unsupported'],
  ['gl_abc', 'unknown'],
  ['aaa.bbb', 'unknown'],
  ['aaa.bbb.ccc.ddd.eee', 'unknown'],
  ['nonsense', 'unknown'],
  ['..', 'unknown'],
] as const)
  test(`a presented ${token} looks like: ${shape}`, () => assert.equal(tokenShape(token), shape))

test('RFC 7009 §2.1, RFC 7662 §2.1: token is required, and a hint of any kind changes nothing', () => {
  assert.deepEqual(presentedToken(formOf([])), err({ reason: 'parameter_missing', name: 'token' }))
  assert.deepEqual(
    presentedToken(
      formOf([
        ['token', 'ga_x'],
        ['token_type_hint', 'pineapple'],
      ]),
    ),
    ok({ token: 'ga_x', shape: 'access' }),
  )
})

test('every secret names itself: scanners for leaked ones look for these beginnings', () => {
  assert.deepEqual(secretPrefix, {
    code: 'gc_',
    refresh: 'gr_',
    access: 'ga_',
    device: 'gd_',
    authReqId: 'gx_',
    pushedRequest: 'gq_',
    clientSecret: 'gs_',
    apiKey: 'gk_',
    registrationAccess: 'gm_',
    initialAccess: 'gt_',
    session: 'gl_',
    browser: 'gb_',
    interaction: 'gi_',
    rememberedBrowser: 'gw_',
    mailedLink: 'gp_',
  })
})
