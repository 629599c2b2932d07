/** `oidc-provider` giving machines their tokens. */
import { serveTokens } from './oidc-provider-tokens.ts'

await serveTokens(['client_credentials'])
