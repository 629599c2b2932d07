/** Checks of the challenges to requests without a token or with a wrong one. */
import { type Check, expect, failed, noList, passed, skipped } from '../check.ts'
import { isObject } from '../model.ts'
import { jsonOf, listTarget, seen } from '../targets.ts'

const group = 'challenges'
const wellKnown = '/.well-known/oauth-protected-resource'

const isBearer = (header: string | undefined): boolean => /\b(?:Bearer|DPoP)\b/i.test(header ?? '')

export const challengeChecks: readonly Check[] = [
  {
    name: 'no token is 401 with a challenge',
    group,
    clause: 'RFC 6750 §3, RFC 9110 §15.5.2',
    remedy: 'answer 401 with WWW-Authenticate: Bearer where the document asks for a token',
    async run({ sendAnonymous, api }) {
      const target = listTarget(api)
      if (target === null) return noList
      if (api.list?.secured !== true) return skipped('the document asks for no token')
      const answer = await sendAnonymous({ target })
      if (answer.status !== 401) return failed(seen(answer))
      return expect(isBearer(answer.headers.get('www-authenticate')), '401 without a Bearer challenge')
    },
  },
  {
    name: 'a wrong token is 401 invalid_token',
    group,
    clause: 'RFC 6750 §3.1',
    remedy: 'answer 401 with error="invalid_token"',
    async run({ sendAnonymous, api }) {
      const target = listTarget(api)
      if (target === null) return noList
      if (api.list?.secured !== true) return skipped('the document asks for no token')
      const answer = await sendAnonymous({ target, headers: { authorization: 'Bearer grantor.api.check' } })
      const challenge = answer.headers.get('www-authenticate') ?? ''
      return expect(
        answer.status === 401 && challenge.includes('invalid_token'),
        `${seen(answer)}, ${challenge.slice(0, 120) || 'no challenge'}`,
      )
    },
  },
  {
    name: 'a token without the scope is 403 or 401 insufficient_scope',
    group,
    clause: 'RFC 6750 §3.1, RFC 9110 §15.5.4',
    remedy:
      'answer 403 (or 401) with error="insufficient_scope" and the scope that is needed, and say nothing of what is there',
    async run({ sendAnonymous, api, scopelessToken }) {
      const target = listTarget(api)
      if (target === null) return noList
      if (scopelessToken === null) return skipped('it needs a second token: --scopeless-token')
      const answer = await sendAnonymous({ target, headers: { authorization: `Bearer ${scopelessToken}` } })
      if (answer.status !== 403 && answer.status !== 401) return failed(`${seen(answer)} to a token without the scope`)
      const challenge = answer.headers.get('www-authenticate') ?? ''
      if (challenge.includes('insufficient_scope'))
        return expect(/\bscope="[^"]+"/.test(challenge), 'the challenge does not name the scope that is needed')
      // A 403 needs no challenge, but one with `invalid_token` would make the client request the same token again.
      return expect(
        answer.status === 403 && !challenge.includes('invalid_token'),
        `${seen(answer)}, ${challenge || 'no challenge'}`,
      )
    },
  },
  {
    name: 'a refused token is told to no cache',
    group,
    clause: 'RFC 9111 §5.2.2.5',
    remedy: 'send Cache-Control: no-store with 401',
    async run({ sendAnonymous, api }) {
      const target = listTarget(api)
      if (target === null) return noList
      const answer = await sendAnonymous({ target })
      if (answer.status !== 401) return skipped('no 401 was seen')
      const control = answer.headers.get('cache-control') ?? 'none'
      return expect(control.includes('no-store'), `Cache-Control: ${control}`)
    },
  },
  {
    name: 'the metadata of the resource can be found',
    group,
    clause: 'RFC 9728 §3, §5.1',
    remedy: `serve ${wellKnown} with resource and authorization_servers, and name it in resource_metadata`,
    async run({ sendAnonymous, api, origin }) {
      const target = listTarget(api)
      if (target === null) return noList
      if (api.list?.secured !== true) return skipped('the document asks for no token')
      const challenge = (await sendAnonymous({ target })).headers.get('www-authenticate') ?? ''
      const named = /resource_metadata="([^"]{1,2000})"/.exec(challenge)?.[1]
      const url = URL.parse(named ?? wellKnown, origin)
      // Only this host is asked, so that the API cannot choose other targets.
      if (url === null || url.origin !== origin) return failed(`resource_metadata is ${named ?? 'missing'}`)
      const answer = await sendAnonymous({ target: url.pathname })
      const metadata = jsonOf(answer)
      if (answer.status !== 200 || !isObject(metadata)) return failed(`${url.pathname} ${seen(answer)}`)
      if (typeof metadata['resource'] !== 'string') return failed('the metadata names no resource')
      if (!Array.isArray(metadata['authorization_servers'])) return failed('the metadata names no authorization server')
      return named === undefined ? failed('the challenge has no resource_metadata') : passed()
    },
  },
]
