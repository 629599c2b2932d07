/** `oidc-provider` with a token exchange. */
import { createPublicKey } from 'node:crypto'
import { exchangeGrant } from './client.ts'
import { registerExchange } from './oidc-provider-exchange-grant.ts'
import { serveTokens } from './oidc-provider-tokens.ts'

const { provider, privateKey } = await serveTokens(['client_credentials', exchangeGrant])
registerExchange(provider, createPublicKey(privateKey))
