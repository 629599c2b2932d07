/** The web client that every contestant knows, on behalf of people, and the three requests that all of them answer. */
import { hash } from 'node:crypto'
import { formRequest } from '../load.ts'
import { audience, scope as apiScope } from './client.ts'

export const clientId = 'bench-web'
export const clientSecret = 'bench-web-secret-of-32-or-more-characters'
export const redirectUri = 'https://client.bench.example/cb'
export const scope = `openid offline_access ${apiScope}`

const verifier = 'v'.repeat(43)
export const challenge = hash('sha256', verifier, 'base64url')

/** RFC 7591 names, which both understand. One algorithm for both tokens: everyone signs twice with the same key. */
export const metadata = {
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'ES256',
}

export const person = { username: 'alice', password: 'correct-horse-battery-staple' }

export const seed = {
  resources: [{ identifier: audience, name: 'Bench', token_format: 'jwt' }],
  scopes: [{ name: apiScope, description: 'What the measurement asks for', resource: audience }],
  users: [person],
  clients: [{ ...metadata, scope }],
}

const asked = (path: string, form: Readonly<Record<string, string>>): Buffer =>
  formRequest({ path, basic: [clientId, clientSecret], form })

export const redemption = (code: string, path = '/token'): Buffer =>
  asked(path, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })

export const refreshing = (token: string, path = '/token'): Buffer =>
  asked(path, { grant_type: 'refresh_token', refresh_token: token })

/** What a browser is sent with. */
export const authorizationRequest = {
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  scope,
  resource: audience,
  state: 'af0ifjsldkj',
  nonce: 'n-0S6',
  code_challenge: challenge,
  code_challenge_method: 'S256',
} as const

/** RFC 9126: the request that a code comes of, pushed. */
export const pushing = (path = '/par'): Buffer => asked(path, authorizationRequest)
