/** The client that the fault tests play, and the file that declares it. */
import type { Answered, Asker } from './http-client.ts'

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

export const askToken = ({ ask }: Asker): Promise<Answered> =>
  ask('/token', { basic: service, form: { grant_type: 'client_credentials', scope: 'invoices:read' } })

export const askRevocation = ({ ask }: Asker, token: string): Promise<Answered> =>
  ask('/revoke', { basic: service, form: { token } })

export const askIntrospection = ({ ask }: Asker, token: string): Promise<Answered> =>
  ask('/introspect', { basic: service, form: { token } })

export const tokenIn = (answer: Answered): string => (JSON.parse(answer.body) as { access_token: string }).access_token
