/** A client that asks people by the back channel (CIBA) and polls for the answer, for tests. */
import type { Authority, DeviceEndpointRequest } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { asking, declaration, declare, type Deployment, machine } from './deployment.ts'
import type { Polled } from './device-client.ts'
import { PersonAtBrowser, type Shown } from './person.ts'

export const cibaGrant = 'urn:openid:params:grant-type:ciba'

export const bank = (id: string, more: JsonObject = {}): JsonObject => ({
  ...machine(id, 'openid profile offline_access invoices:read'),
  client_name: 'Bank',
  grant_types: [cibaGrant, 'refresh_token'],
  backchannel_token_delivery_mode: 'poll',
  ...more,
})

/** Two banks, one that names codes, two people, and another tenant with the same things. */
export async function declareBanks(deployment: Deployment, ...more: readonly JsonObject[]): Promise<void> {
  const objects = {
    ...declaration,
    clients: [
      ...declaration.clients,
      bank('bank'),
      bank('bank2'),
      bank('coded', { backchannel_user_code_parameter: true }),
      ...more,
    ],
    users: [
      { username: 'alice', password: 'correct-horse', name: 'Alice', email: 'alice@example.com', email_verified: true },
      { username: 'bob', password: 'battery-staple', email: 'bob@example.com' },
    ],
  }
  await declare(deployment, { ...objects, tenants: [{ id: 'acme', name: 'Acme', ...objects }] })
}

interface Sender {
  readonly as?: string
  readonly tenant?: TenantId
}

const request = (form: Readonly<Record<string, string>>, from: Sender = {}): DeviceEndpointRequest => ({
  ...asking(new URLSearchParams(form).toString(), { as: 'bank', ...from }),
  ip: '198.51.100.7',
  userAgent: 'Bank/1.0',
})

export const asked = { scope: 'openid offline_access invoices:read', login_hint: 'alice', binding_message: 'W4SCT' }

/** The auth_req_id, or why there is none. */
export async function askByBackchannel(
  authority: Authority,
  more: Readonly<Record<string, string | undefined>> = {},
  from: Sender = {},
): Promise<{ readonly id: string; readonly error?: string; readonly answer: JsonObject }> {
  const form = Object.entries({ ...asked, ...more }).filter((it): it is [string, string] => it[1] !== undefined)
  const answer = await authority.backchannelAuthentication(request(Object.fromEntries(form), from))
  if (answer.kind === 'error') return { id: '', error: answer.error.reason, answer: {} }
  return { id: answer.value['auth_req_id'] as string, answer: answer.value }
}

export async function pollRequest(authority: Authority, id: string, from: Sender = {}): Promise<Polled> {
  const body = new URLSearchParams({ grant_type: cibaGrant, auth_req_id: id }).toString()
  const answer = await authority.token(asking(body, { as: 'bank', ...from }))
  return answer.kind === 'ok' ? answer.value : { error: answer.error.reason }
}

/** Somebody signed in to their account page. */
export class PersonAtAccount extends PersonAtBrowser {
  static async signedIn(
    authority: Authority,
    username = 'alice',
    password = 'correct-horse',
  ): Promise<PersonAtAccount> {
    const person = new PersonAtAccount(authority)
    person.keep(authority.browser.nameBrowser(person.visitor()))
    const by = { username, password, confirming: false }
    const outcome = await authority.browser.accountSignIn.byPassword(by, person.visitor())
    if (!('cookies' in outcome)) throw new Error(outcome.did)
    person.keep(outcome.cookies)
    return person
  }

  async account() {
    const account = (await this.authority.browser.accounts(this.visitor())).at(-1)
    if (account === undefined) throw new Error('nobody is signed in')
    return account
  }

  async waiting() {
    return this.authority.browser.account.requests.list(await this.account(), this.visitor())
  }

  /** Presses a button of the oldest request, or of the one that is named; null where it waits no more. */
  async answer(allow: boolean, reference?: string, ...ticked: string[]): Promise<Shown | null> {
    const { requests } = this.authority.browser.account
    const named = reference ?? (await this.waiting())[0]?.reference ?? ''
    const by = { reference: named, allow, ticked: new Set(ticked) }
    const answered = await requests.answer(by, await this.account(), this.visitor())
    if (answered === null) return null
    this.keep(answered.cookies)
    this.interaction = answered.interaction
    return this.stand()
  }
}
