/** Whatever is signed says whole seconds, and never one that has not come: in the middle of a second, too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, bounded, openDeployment, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

test(
  'RFC 7519 §2: the time of a token, of a sign-in and of the head of the log is the second that has begun',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    const { authority } = deployment
    deployment.clock += 700
    const second = Math.floor(deployment.clock / 1000)
    const code = await new PersonAtBrowser(authority).code()
    const answer = await authority.token(asking(redemption(code), { as: 'web' }))
    assert.ok(answer.kind === 'ok', JSON.stringify(answer))
    const { access_token: access, id_token: id, expires_in: life } = answer.value as Readonly<Record<string, string>>
    const token = claimsOf(access ?? '')
    assert.deepEqual([token['iat'], token['exp'], token['auth_time']], [second, second + Number(life), second])
    const person = claimsOf(id ?? '')
    assert.deepEqual([person['iat'], person['auth_time']], [second, second])
    assert.ok(Number.isInteger(person['exp']))
    const shown = await authority.introspect(asking(`token=${access}`, { as: 'api' }))
    assert.ok(shown.kind === 'ok')
    const { iat, exp } = shown.value
    assert.deepEqual([iat, exp], [second, second + Number(life)])
    const head = await authority.admin.events.head(root)
    assert.ok(head.kind === 'ok' && head.value !== null)
    const signed = claimsOf(head.value.signed)
    assert.deepEqual(
      [signed['iat'], signed['iss'], signed['tenant'], signed['seq']],
      [second, 'https://as.example', root, head.value.seq],
    )
  },
)
