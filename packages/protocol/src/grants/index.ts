/** The list of grants. Adding one means one file and one line here. */
import { clientCredentials } from './client-credentials.ts'

export const grantRules = { client_credentials: clientCredentials } as const
export type GrantType = keyof typeof grantRules

export const isGrantType = (text: string): text is GrantType => Object.hasOwn(grantRules, text)
