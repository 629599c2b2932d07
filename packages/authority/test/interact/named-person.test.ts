/** A request that names who must answer: OIDC Core §3.1.2.1 (id_token_hint), §5.5.1 (`sub` by value). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, type Deployment, openDeployment, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, codeOf, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

async function open(): Promise<Deployment & { readonly alice: string; readonly hint: string }> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const code = await new PersonAtBrowser(deployment.authority).code()
  const answer = await deployment.authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(answer.kind === 'ok')
  const alice = (await deployment.store.users.byUsername(root, 'alice'))?.id ?? ''
  return Object.assign(deployment, { alice, hint: answer.value['id_token'] as string })
}

const bySub = (where: string, sub: string, list = false) =>
  JSON.stringify({ [where]: { sub: list ? { values: [sub] } : { value: sub, essential: true } } })

test('OIDC Core §3.1.2.1, §5.5.1: whoever signs in as somebody else ends the request; nobody is asked for ever', async () => {
  const deployment = await open()
  const requests: readonly Record<string, string>[] = [
    { id_token_hint: deployment.hint },
    { claims: bySub('id_token', deployment.alice) },
    { claims: bySub('userinfo', deployment.alice) },
    { claims: bySub('id_token', deployment.alice, true) },
    { claims: bySub('id_token', deployment.alice), prompt: 'login' },
    { id_token_hint: deployment.hint, max_age: '0' },
  ]
  for (const request of requests) {
    const person = new PersonAtBrowser(deployment.authority)
    assert.equal((await person.begin(authorizeQuery(request))).go, 'login')
    const shown = await person.signIn('bob', 'battery-staple')
    const answer = answerOf(shown)
    assert.deepEqual([answer.get('error'), answer.get('state')], ['login_required', 'xyz'], JSON.stringify(request))
    // Bob is signed in now, and the next request that means Alice asks for her.
    assert.equal((await person.begin(authorizeQuery(request))).go, 'login')
    deployment.clock += 1_000
    assert.ok(codeOf(await person.signIn('alice')))
  }
})

test('OIDC Core §5.5.1: a name that is nobody’s is asked for once, and then refused', async () => {
  const deployment = await open()
  const person = new PersonAtBrowser(deployment.authority)
  await person.begin(authorizeQuery({ claims: bySub('id_token', 'nobody') }))
  assert.equal(answerOf(await person.signIn('alice')).get('error'), 'login_required')
  const silent = await person.begin(authorizeQuery({ prompt: 'none', claims: bySub('id_token', 'nobody') }))
  assert.equal(answerOf(silent).get('error'), 'login_required')
})

test('OIDC Core §3.1.2.1: switching to another account than the named one ends the request, too', async () => {
  const deployment = await open()
  const person = new PersonAtBrowser(deployment.authority)
  await person.begin(authorizeQuery())
  await person.signIn('bob', 'battery-staple')
  const shown = await person.begin(
    authorizeQuery({ id_token_hint: deployment.hint, client_id: 'web', prompt: 'consent' }),
  )
  assert.equal(shown.go, 'login')
  assert.equal((await person.signIn('alice')).go, 'consent')
  await person.authority.browser.switchAccount(person.at())
  const bob = (await deployment.store.users.byUsername(root, 'bob'))?.id ?? ''
  await person.authority.browser.chooseAccount(person.at(), bob)
  assert.equal(answerOf(await person.stand()).get('error'), 'login_required')
})
