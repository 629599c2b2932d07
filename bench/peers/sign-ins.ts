/** Sign-ins whose pages were fetched beforehand, each in its own browser: only the form is left to send. */
import { person } from '../contestants/web-client.ts'
import { preparedSignIn } from '../sign-in-form.ts'

export interface SignIns {
  readonly requests: readonly Buffer[]
  /** The status of a successful answer. */
  readonly success: number
}

export const forwardedHeaders = 'Host: localhost\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.1\r\n'

export const getPage = (port: number, path: string, cookie = ''): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1', ...(cookie === '' ? {} : { cookie }) },
  })

export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((it) => it.split(';', 1)[0])
    .join('; ')

/** A person per sign-in, because concurrent attempts per account are limited. */
export const peopleSigningIn = Array.from({ length: 24 }, (_, n) => ({ ...person, username: `person${n}` }))

let signedIn = 0

/** Sign-ins at Grantor, each from its own address. */
export async function grantorSignIns(port: number): Promise<SignIns> {
  const requests: Buffer[] = []
  for (const who of peopleSigningIn) requests.push(await preparedSignIn(port, { n: signedIn++, ...who }))
  return { requests, success: 303 }
}
