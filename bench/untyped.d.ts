/** Types of what the bench and the interop tests use of `oidc-provider`, which ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Model {
    save(): Promise<string>
  }

  interface ClientCredentialsModel extends Model {
    resourceServer: object
    extra: object
    readonly expiration: number
  }

  interface GrantContext {
    readonly oidc: {
      readonly client?: { readonly clientId: string }
      readonly params?: Readonly<Record<string, unknown>>
    }
    body: object
  }

  interface GrantModel extends Model {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    readonly Client: { find(id: string): Promise<object | undefined> }
    readonly Grant: new (of: object) => GrantModel
    readonly AuthorizationCode: new (of: object) => Model
    readonly ClientCredentials: new (of: object) => ClientCredentialsModel
    readonly ResourceServer: new (identifier: string, data: object) => object
    registerGrantType(name: string, handler: (ctx: GrantContext) => Promise<void>, parameters: readonly string[]): void
  }
}
