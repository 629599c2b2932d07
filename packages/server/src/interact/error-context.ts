/** What an error page knows where nothing else could be read of a request: its language, and what an app sent. */
import { isLoopbackHost } from '@grantor/protocol/http'
import type { FastifyReply } from 'fastify'
import { acceptedLanguages, chooseLanguage } from '../pages/language/index.ts'
import type { PageContext } from '../pages/layout.ts'
import { languageIn } from './cookies.ts'

export function errorContextOf({ request, server }: FastifyReply): PageContext {
  const chosen = languageIn(request.headers.cookie)
  const accepted = acceptedLanguages(request.headers['accept-language'] ?? '')
  const language = chooseLanguage(chosen === null ? accepted : [chosen, ...accepted])
  return { base: '', theme: request.theme ?? server.theme, language, languageLinks: [] }
}

export interface Sent {
  readonly clientId: string | null
  readonly redirectUri: string | null
}

/** What an app said of itself in the address: enough of it to be recognised. */
export function sentBy({ request }: FastifyReply): Sent {
  const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
  const named = (name: string): string | null => query.get(name)?.slice(0, 256) ?? null
  return { clientId: named('client_id'), redirectUri: named('redirect_uri') }
}

/** Whoever looks sits at the machine that the service runs on: a developer, who sent it themselves. */
export const isLocal = ({ request }: FastifyReply): boolean =>
  isLoopbackHost(request.hostname) && (request.remote.ip === '::1' || request.remote.ip?.startsWith('127.') === true)

/** For the terminal: without what a return address may carry beside where it leads, a query and a password. */
export function sentNames({ clientId, redirectUri }: Sent): Readonly<Record<string, string>> {
  const address = redirectUri?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')
  return {
    ...(clientId === null ? {} : { clientId }),
    ...(address === undefined ? {} : { redirectUri: address }),
  }
}
