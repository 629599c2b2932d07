/** A sign-in form, ready to be sent, each from its own browser and address. */

export interface SigningIn {
  /** Makes the address unique. */
  readonly n: number
  readonly username: string
  readonly password: string
}

export async function preparedSignIn(port: number, { n, username, password }: SigningIn): Promise<Buffer> {
  const address = `198.51.${100 + (Math.floor(n / 250) % 100)}.${(n % 250) + 1}`
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': address }
  const page = await fetch(`http://127.0.0.1:${port}/account`, { headers: forwarded })
  const cookie = page.headers.getSetCookie().map((it) => it.split(';', 1)[0])
  const text = await page.text()
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const form = text.split('<form ').find((part) => part.includes('id="sign-in"')) ?? ''
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
  const body = new URLSearchParams({ csrf, username, password, 'sign-in': 'yes' }).toString()
  return Buffer.from(
    `POST ${action} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n` +
      `X-Forwarded-For: ${address}\r\nCookie: ${cookie.join('; ')}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
