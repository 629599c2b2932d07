/** How an answer is sent: OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode, JARM §2.3. */
import { redirectKind } from '../oauth/redirect-uri.ts'

export type ResponseMode = 'query' | 'form_post' | 'query.jwt' | 'form_post.jwt'

/**
 * By the values of response_mode. JARM §2.3.4: `jwt` means the default mode of the response type, which for a code is
 * the query.
 */
const modes: Readonly<Record<string, ResponseMode>> = {
  query: 'query',
  form_post: 'form_post',
  jwt: 'query.jwt',
  'query.jwt': 'query.jwt',
  'form_post.jwt': 'form_post.jwt',
}
export const responseModes: readonly string[] = Object.keys(modes)

/** Null for a value that is not supported, or not for this address. */
export function responseModeFor(word: string | undefined, redirectUri: string): ResponseMode | null {
  if (word === undefined) return 'query'
  const mode = Object.hasOwn(modes, word) ? modes[word] : undefined
  return mode === undefined || (byForm(mode) && !takesForms(redirectUri)) ? null : mode
}

/** FAPI 2.0 Message Signing §5.4: the modes that sign the answer. */
export const signedResponseModes: readonly string[] = responseModes.filter((word) => word.endsWith('jwt'))

export const byForm = (mode: ResponseMode): boolean => mode === 'form_post' || mode === 'form_post.jwt'
export const isSigned = (mode: ResponseMode): boolean => mode === 'query.jwt' || mode === 'form_post.jwt'

/** An address with a private scheme is opened by the operating system, which cannot pass on a posted form. */
const takesForms = (redirectUri: string): boolean => redirectKind(redirectUri) !== 'private-use'
