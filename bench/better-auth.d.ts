/** Types of what the bench uses of better-auth: its own types fail under `exactOptionalPropertyTypes`. */
declare module 'better-auth' {
  interface Options {
    readonly plugins: readonly object[]
    readonly [option: string]: unknown
  }

  interface Auth {
    readonly api: {
      signUpEmail(of: { body: object; returnHeaders: true }): Promise<{ readonly headers: Headers }>
      adminCreateOAuthClient(of: { headers: Headers; body: object }): Promise<object>
    }
  }

  export function betterAuth(options: Options): Auth
}

declare module 'better-auth/db/migration' {
  export function getMigrations(options: object): Promise<{ runMigrations(): Promise<void> }>
}

declare module 'better-auth/node' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export function toNodeHandler(auth: object): (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

declare module 'better-auth/plugins' {
  export function jwt(options: object): object
}

declare module '@better-auth/oauth-provider' {
  export function oauthProvider(options: object): object
  export function oauthDeviceAuthorization(): object
}
