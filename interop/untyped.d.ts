/** The little of `@sd-jwt/jwt-status-list` that is used: a reader that is asked, and nothing that makes lists. */
declare module '@sd-jwt/jwt-status-list' {
  interface StatusList {
    readonly statusList: readonly number[]
    getBitsPerStatus(): number
    getStatus(index: number): number
  }
  export function getListFromStatusListJWT(jwt: string): StatusList
  export function getStatusListFromJWT(jwt: string): { readonly idx: number; readonly uri: string }
}
