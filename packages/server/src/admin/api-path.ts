/** The addresses of the admin API: what is wrong there is told as a problem (RFC 9457), whoever notices it. */
const apiPath = /^(?:\/t\/[^/?]+)?\/(?:v1(?:[/?]|$)|(?:openapi\.json|docs)(?:\?|$))/

export const isApiPath = (url: string): boolean => apiPath.test(url)
