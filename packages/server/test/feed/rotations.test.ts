/** Emergency rotations, one after the other: a real server and real validators, while strangers make up key ids. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import type { Validator } from '@grantor/resource'
import { operator, startFeedDeployment, verdictOf } from './feed-deployment.ts'

const root = 'default' as TenantId
const headerOf = (token: string): { readonly kid: string } =>
  JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()) as { kid: string }

/** The same token, as if another key had signed it. */
function madeUp(token: string): string {
  const [, payload = '', signature = ''] = token.split('.')
  const header = { ...headerOf(token), kid: randomUUID() }
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.')
}

/** A slow machine is told to come back (503), which refuses nothing; bounded by the time of the test. */
async function settled(validator: Validator, token: string): Promise<string> {
  let verdict = await verdictOf(validator, token)
  while (verdict === 'keys_unavailable') verdict = await verdictOf(validator, token)
  return verdict
}

test(
  'six emergency rotations in a row: no validator refuses a valid token, by stream and by poll, whatever strangers send',
  { timeout: 120_000 },
  async () => {
    await using it = await startFeedDeployment('sqlite')
    const { keys } = it.deployment.authority.admin
    const validators = [it.validator(), it.validator({ feed: { transport: 'poll' } })]
    await Promise.all(validators.map((validator) => validator.whenReady()))
    let token = await it.token()
    const over = new AbortController()
    const strangers = validators.map(async (validator) => {
      let refused = 0
      for (; !over.signal.aborted && refused < 100_000; refused++)
        assert.notEqual(await verdictOf(validator, madeUp(token)), 'accepted')
      return refused
    })
    await using _ = { [Symbol.asyncDispose]: async () => over.abort() }
    for (let n = 0; n < 6; n++) {
      const before = headerOf(token).kid
      assert.equal((await keys.rotate(operator, root, { now: true })).kind, 'ok')
      assert.equal((await keys.drop(operator, root, before)).kind, 'ok')
      token = await it.token()
      assert.notEqual(headerOf(token).kid, before)
      for (const validator of validators) assert.equal(await settled(validator, token), 'accepted', `rotation ${n}`)
    }
    over.abort()
    for (const refused of await Promise.all(strangers)) assert.ok(refused > 0)
  },
)
