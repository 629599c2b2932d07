/** Whether a redirect_uri of a request would be accepted, by the rules of the server: exactly, but for loopback ports. */

/** RFC 8252 §7.3: the port of a loopback address of a native app is chosen when it runs. */
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?([/?].*)?$/

/** The registered URI that it matches; null for none. */
export function matchingRedirect(registered: readonly string[], asked: string, isNative: boolean): string | null {
  return (
    registered.find((uri) => {
      if (uri === asked || !isNative) return uri === asked
      const [one, other] = [loopback.exec(uri), loopback.exec(asked)]
      return one !== null && other !== null && one[1] === other[1] && (one[2] ?? '') === (other[2] ?? '')
    }) ?? null
  )
}
