/** Shows who is signed in, as the issuer's userinfo endpoint knows them. */
import { fetchUserInfo, skipSubjectCheck } from 'openid-client'
import type { CommandContext } from '../program/command.ts'
import { done, type ExitResult, failure } from '../program/exit.ts'
import { answered, discoverIssuer, exitAt, withIssuer } from './issuer-client.ts'
import { loginEnded } from './target.ts'
import { freshLogin } from './tokens.ts'

export const showIdentity = (context: CommandContext): Promise<ExitResult> =>
  withIssuer(context, { stored: true }, async (target) => {
    const { issuer } = target
    const login = await freshLogin(target)
    if (login.kind === 'error') return login
    const { clientId, scope, accessToken } = login.value
    const config = await discoverIssuer(target, clientId)
    if (config.kind === 'error') return config
    if (config.value.serverMetadata().userinfo_endpoint === undefined)
      return failure('failed', `${issuer} does not tell who is signed in`)
    const answer = await answered(fetchUserInfo(config.value, accessToken, skipSubjectCheck))
    if (answer.kind === 'error') {
      if (answer.error.status === 401) return loginEnded(issuer)
      const what = `${issuer} does not tell who is signed in: it answered ${answer.error.status}`
      const exit = exitAt(answer.error.status)
      return failure(exit, what, exit === 'failed' ? { fix: 'sign in again with openid among the scopes' } : {})
    }
    const { sub, name, preferred_username: username, email } = answer.value
    await context.out.record({ issuer, client_id: clientId, scope, ...answer.value }, [
      ['issuer', issuer],
      ['subject', sub],
      ['name', name ?? username ?? null],
      ['email', email ?? null],
      ['client', clientId],
      ['scope', scope],
    ])
    return done
  })
