/** The client that the fault tests play, and the file that declares it. */
import type { HttpResponse, HttpClient } from './http-client.ts'

export const service = ['service', 'zz9canary-service-secret-of-32-characters'] as const

export const seed = {
  resources: [{ identifier: 'https://api.example', name: 'Invoices', token_format: 'jwt' }],
  scopes: [{ name: 'invoices:read', description: 'See your invoices', resource: 'https://api.example' }],
  clients: [
    {
      client_id: service[0],
      client_secret: service[1],
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'invoices:read',
    },
  ],
}

/** The limits are for strangers; the tests are one client that asks a lot. */
export const unlimited = {
  GRANTOR_LOG: 'warn',
  GRANTOR_LIMIT_TOKEN: 'off',
  GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
  GRANTOR_LIMIT_AUTHORIZE: 'off',
}

export const requestToken = ({ send }: Pick<HttpClient, 'send'>): Promise<HttpResponse> =>
  send('/token', { basic: service, form: { grant_type: 'client_credentials', scope: 'invoices:read' } })

export const requestRevocation = ({ send }: Pick<HttpClient, 'send'>, token: string): Promise<HttpResponse> =>
  send('/revoke', { basic: service, form: { token } })

export const requestIntrospection = ({ send }: Pick<HttpClient, 'send'>, token: string): Promise<HttpResponse> =>
  send('/introspect', { basic: service, form: { token } })

export const tokenIn = (answer: HttpResponse): string =>
  (JSON.parse(answer.body) as { access_token: string }).access_token
