/** A person who signs in at a listening deployment and allows a client something. */
import assert from 'node:assert/strict'
import { authorizeQuery, codeOf, PersonAtBrowser, redemption } from '../../../authority/test/support/person.ts'
import type { FeedDeployment } from './feed-deployment.ts'

export const invoices = { scope: 'openid offline_access invoices:read' }

export interface Granted {
  readonly token: string
  readonly refresh: string
  readonly person: PersonAtBrowser
}

/** A token that a person granted. */
export async function granted(
  it: FeedDeployment,
  username = 'alice',
  client = 'web',
  asked = invoices,
): Promise<Granted> {
  const person = new PersonAtBrowser(it.deployment.authority)
  const form = authorizeQuery({ ...asked, client_id: client, prompt: 'login consent' })
  await person.begin(form)
  await person.signIn(username)
  const code = codeOf(await person.allow())
  const answer = await it.post('/token', client, Object.fromEntries(new URLSearchParams(redemption(code))))
  const { access_token: token, refresh_token: refresh } = answer.json() as Record<string, string>
  assert.ok(token !== undefined && refresh !== undefined, answer.body)
  return { token, refresh, person }
}
