/** What a client may do by its registration alone, whatever it holds: use a grant type, introspect, revoke. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EndpointRequest, EndpointResult } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import {
  asking,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  tokenFrom,
  unproven,
} from '../support/deployment.ts'
import { DeviceAtHome } from '../support/device-client.ts'
import { codeOf, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const everyGrant = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant]
const scope = 'openid profile offline_access invoices:read'

const reasonOf = (answer: EndpointResult<unknown>): string => (answer.kind === 'ok' ? 'ok' : answer.error.reason)

/** One client that may do everything, as it was first declared; `has` declares it anew. */
async function openGrants(): Promise<Deployment & { has(...grantTypes: string[]): Promise<void> }> {
  const deployment = await openDeployment()
  const has = (...grantTypes: string[]) =>
    declare(deployment, {
      ...declaration,
      clients: [
        ...declaration.clients,
        {
          ...machine('web', scope),
          grant_types: grantTypes,
          response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
          redirect_uris: [redirectUri],
        },
      ],
      users: [{ username: 'alice', password: 'correct-horse' }],
    })
  await has(...everyGrant)
  return Object.assign(deployment, { has })
}

describe('RFC 6749 §5.2: a grant type that the client was not registered with is refused', () => {
  /** For each: what the client asks with, all of it good but for the registration. */
  const asked: Readonly<Record<string, (deployment: Deployment) => Promise<string>>> = {
    client_credentials: async () => 'grant_type=client_credentials&scope=invoices:read',
    authorization_code: async ({ authority }) => redemption(await new PersonAtBrowser(authority).code()),
    async refresh_token({ authority }) {
      const code = await new PersonAtBrowser(authority).code()
      const answer = await authority.token(asking(redemption(code), { as: 'web' }))
      assert.ok(answer.kind === 'ok')
      return refreshing(answer.value['refresh_token'] as string)
    },
    async [deviceGrant]({ authority }) {
      const opened = await authority.deviceAuthorization(DeviceAtHome.request(`scope=openid`, { as: 'web' }))
      assert.ok(opened.kind === 'ok')
      const { device_code: code, user_code: typed } = opened.value as Record<string, string>
      const person = new PersonAtBrowser(authority)
      const entered = await authority.browser.enterUserCode(typed ?? '', person.visitor())
      assert.ok(entered.did === 'entered')
      person.keep(entered.cookies)
      person.interaction = entered.interaction
      await person.signIn()
      assert.equal((await person.allow()).go, 'device')
      return new URLSearchParams({ grant_type: deviceGrant, device_code: code ?? '' }).toString()
    },
  }
  for (const type of everyGrant) {
    test(type, async () => {
      const deployment = await openGrants()
      const body = await asked[type]?.(deployment)
      assert.ok(body !== undefined)
      await deployment.has(...everyGrant.filter((it) => it !== type))
      const ask = async () => reasonOf(await deployment.authority.token(asking(body, { as: 'web' })))
      assert.equal(await ask(), 'grant_type_not_allowed')
      await deployment.has(...everyGrant)
      assert.equal(await ask(), 'ok', 'nothing was spent meanwhile')
    })
  }

  test('nor is an authorization or a device begun for it', async () => {
    const deployment = await openGrants()
    await deployment.has('client_credentials')
    const shown = await new PersonAtBrowser(deployment.authority).begin()
    assert.throws(() => codeOf(shown))
    const device = await deployment.authority.deviceAuthorization(DeviceAtHome.request('scope=openid', { as: 'web' }))
    assert.equal(reasonOf(device), 'grant_type_not_allowed')
  })
})

describe('RFC 7662 §2.1, §4: introspection', () => {
  const other = 'https://other.example'
  const publicClient: JsonObject = {
    client_id: 'app',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [redirectUri],
    scope: 'openid',
  }

  async function openApi() {
    const deployment = await openDeployment()
    await declare(deployment, {
      ...declaration,
      resources: [...declaration.resources, { identifier: other }],
      clients: [...declaration.clients, publicClient, { ...machine('other-api', ''), resource_server: other }],
    })
    const token = await tokenFrom(deployment.authority, 'scope=invoices:read')
    const by = async (request: EndpointRequest) => {
      const answer = await deployment.authority.introspect(request)
      return answer.kind === 'ok' ? answer.value['active'] : answer.error.reason
    }
    return { deployment, token, by }
  }

  const asPublic = (token: string): EndpointRequest => ({
    ...asking(''),
    ...unproven,
    form: formOf(new URLSearchParams({ token, client_id: 'app' })),
  })

  test('is for clients that can show who they are: a public one is told nothing, of whatever token', async () => {
    const { deployment, token, by } = await openApi()
    for (const text of [token, 'ga_unknown', 'nonsense'])
      assert.equal(await by(asPublic(text)), 'client_unauthenticated')
    const revoked = await deployment.authority.revoke(asPublic('ga_unknown'))
    assert.equal(reasonOf(revoked), 'ok', 'it may revoke: RFC 7009 §2.1')
  })

  test('tells a token to its client and to the API it is for, and to nobody else', async () => {
    const { token, by } = await openApi()
    for (const [as, active] of Object.entries({ svc: true, api: true, other: false, 'other-api': false }))
      assert.equal(await by(asking(`token=${token}`, { as })), active, as)
  })
})
