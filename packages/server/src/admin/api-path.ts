/** The paths of the admin API: all errors there are problems (RFC 9457), whichever part of the server finds them. */
const apiPath = /^(?:\/t\/[^/?]+)?\/(?:v1(?:[/?]|$)|(?:openapi\.json|docs)(?:\?|$))/

export const isApiPath = (url: string): boolean => apiPath.test(url)
