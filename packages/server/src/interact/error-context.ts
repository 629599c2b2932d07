/** The context of an error page, also where the request could not be read: its language, and what an app sent. */
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

/** The client id and redirect URI in the URL, shortened, so that a developer recognises the app. */
export function sentBy({ request }: FastifyReply): Sent {
  const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
  const named = (name: string): string | null => query.get(name)?.slice(0, 256) ?? null
  return { clientId: named('client_id'), redirectUri: named('redirect_uri') }
}

/** Whether the request comes from the machine that the server runs on, so that a developer sees the page. */
export const isLocal = ({ request }: FastifyReply): boolean =>
  isLoopbackHost(request.hostname) && (request.remote.ip === '::1' || request.remote.ip?.startsWith('127.') === true)

/** The same for the terminal, with the redirect URI stripped of query, fragment and password. */
export function sentNames({ clientId, redirectUri }: Sent): Readonly<Record<string, string>> {
  const address = redirectUri?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')
  return {
    ...(clientId === null ? {} : { clientId }),
    ...(address === undefined ? {} : { redirectUri: address }),
  }
}
