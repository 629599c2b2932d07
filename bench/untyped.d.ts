/** The little of `oidc-provider` that the bench and the interop tests use; the package ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Model {
    save(): Promise<string>
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
  }
}
