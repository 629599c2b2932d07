/** What the log says of every token that is issued: by which client, of whom, for what, until when. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, asking, bounded, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'

async function lastOf(deployment: Deployment) {
  await deployment.store.events.position()
  const [last] = await deployment.store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
  return last ?? assert.fail()
}

test(
  'a token that is issued and one that is refreshed are told apart, and both tell whose they are',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    const { authority, store } = deployment
    const alice = await store.users.byUsername(root, 'alice')
    const answered = async (body: string, as: string) => {
      const answer = await authority.token(asking(body, { as }))
      assert.ok(answer.kind === 'ok', JSON.stringify(answer))
      return answer.value as { readonly refresh_token?: string; readonly expires_in: number }
    }
    const told = async () => {
      const { name, actor, subject, clientId, grantId, jti, scope, data } = await lastOf(deployment)
      assert.match(jti ?? '', /./)
      return { name, actor, subject, clientId, hasGrant: grantId !== null, scope, data }
    }
    const first = await answered(redemption(await new PersonAtBrowser(authority).code()), 'web')
    const end = (seconds: number) => Math.floor(deployment.clock / 1000) + seconds
    const of = {
      actor: { kind: 'client', id: 'web' },
      subject: alice?.id,
      clientId: 'web',
      hasGrant: true,
      scope: 'invoices:read offline_access openid profile',
    }
    const issued = await told()
    assert.deepEqual(
      { ...issued, scope: of.scope },
      {
        ...of,
        name: 'token.issued',
        data: { grant_type: 'authorization_code', aud: api, exp: end(first.expires_in) },
      },
    )
    assert.match(issued.scope ?? '', /invoices:read/)
    deployment.clock += 5000
    const second = await answered(refreshing(first.refresh_token ?? ''), 'web')
    const refreshed = await told()
    assert.deepEqual(
      { ...refreshed, scope: of.scope },
      {
        ...of,
        name: 'token.refreshed',
        data: { grant_type: 'refresh_token', aud: api, exp: end(second.expires_in) },
      },
    )
    const own = await answered(`grant_type=client_credentials&scope=invoices:read&resource=${api}`, 'svc')
    assert.deepEqual(await told(), {
      name: 'token.issued',
      actor: { kind: 'client', id: 'svc' },
      subject: 'svc',
      clientId: 'svc',
      hasGrant: false,
      scope: 'invoices:read',
      data: { grant_type: 'client_credentials', aud: api, exp: end(own.expires_in) },
    })
  },
)
