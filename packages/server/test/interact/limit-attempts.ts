/** How people, and what strangers register, come to the limits that are reached by a longer way. */
import assert from 'node:assert/strict'
import type { LimitName } from '@grantor/authority'
import { authorizePath, clientSecret, type Deployment, type PageAnswer, redirectUri } from './deployment.ts'
import { enrolApp } from './enrolled.ts'

/** Walks up to the limit; each call is one step towards it. */
export interface LongWay {
  readonly env?: Readonly<Record<string, string>>
  begin(deployment: Deployment): Promise<(n: number) => Promise<PageAnswer>>
}

type LongWayLimit = Extract<
  LimitName,
  | 'loginBrowser'
  | 'secondFactor'
  | 'registrationUpdates'
  | 'clientDocuments'
  | 'requestObjects'
  | 'authorize'
  | 'resetAccount'
  | 'resetAddress'
  | 'signInLinkAddress'
  | 'backchannelHint'
  | 'backchannelUserCode'
>

const mail = { GRANTOR_MAIL_SMTP: 'smtp://127.0.0.1:9', GRANTOR_MAIL_FROM: 'Login <login@as.example>' }
const session = '__Host-grantor-session'

/** Asks by the back channel for somebody who does not exist, which nobody is told. */
const askByBackchannel = (clientId: string, more: Readonly<Record<string, string>>): LongWay => ({
  begin: (deployment) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const form = { scope: 'openid', login_hint: 'nobody', ...more }
    return Promise.resolve(() => deployment.send('/backchannel_authentication', { form, headers: { authorization } }))
  },
})

export const longWays: Readonly<Record<LongWayLimit, LongWay>> = {
  backchannelHint: askByBackchannel('asker', {}),
  backchannelUserCode: askByBackchannel('asker-with-code', { user_code: 'wrong' }),
  loginBrowser: {
    async begin(deployment) {
      const [browser, who] = [deployment.browser(), deployment.somebody()]
      assert.equal((await browser.press('/account', '/enter', { ...who })).status, 303)
      // Signed out, and still the browser that they signed in with.
      browser.cookies.delete(session)
      return () => browser.press('/account', '/enter', { username: who.username, password: 'wrong-password' })
    },
  },
  secondFactor: {
    async begin(deployment) {
      const { who } = await enrolApp(deployment)
      const stranger = deployment.browser()
      const hub = await stranger.begin()
      assert.equal((await stranger.signIn(hub, who)).status, 303)
      return () => stranger.press(hub, '/second-factor', { otp: '000000' })
    },
  },
  registrationUpdates: {
    async begin(deployment) {
      const json = { 'content-type': 'application/json' }
      const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
      const made = await deployment.send('/register', {
        method: 'POST',
        content: JSON.stringify(metadata),
        headers: json,
      })
      const { client_id, registration_access_token: access } = JSON.parse(made.body) as Record<string, string>
      const headers = { ...json, authorization: `Bearer ${access}` }
      return (n) => {
        const content = JSON.stringify({ ...metadata, client_id, client_name: `Number ${n}` })
        return deployment.send(`/register/${client_id}`, { method: 'PUT', content, headers })
      }
    },
  },
  clientDocuments: {
    begin: async (deployment) => (n) =>
      deployment.browser().ask(authorizePath({ client_id: `https://127.0.0.1/documents/${n}` })),
  },
  requestObjects: {
    env: { GRANTOR_OUTBOUND_ALLOW: '127.0.0.1:9' },
    async begin(deployment) {
      const request_uri = 'https://127.0.0.1:9/request'
      const web = { client_id: 'elsewhere', token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] }
      await deployment.declare({ clients: [{ ...web, request_uris: [request_uri] }] })
      return () => deployment.browser().ask(authorizePath({ client_id: web.client_id, request_uri }))
    },
  },
  authorize: {
    begin: async (deployment) => () => deployment.browser().ask(authorizePath()),
  },
  resetAccount: {
    env: mail,
    async begin(deployment) {
      const [browser, who] = [deployment.browser(), deployment.somebody()]
      assert.equal((await browser.press('/account', '/enter', { ...who })).status, 303)
      return () => browser.press('/account/address', '', { 'send-check': 'yes' })
    },
  },
  resetAddress: {
    env: mail,
    begin: async (deployment) => (n) =>
      deployment.browser().press('/forgot-password', '', { username: `somebody-${n}`, 'send-link': 'yes' }),
  },
  signInLinkAddress: {
    env: mail,
    async begin(deployment) {
      await deployment.declare({ accounts: { sign_in_links: true } })
      return (n) => deployment.browser().press('/sign-in-link', '', { username: `somebody-${n}` })
    },
  },
}
