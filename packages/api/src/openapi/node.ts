/** A part of an OpenAPI document, and the names of collections in it. */
export type OpenApiNode = Readonly<Record<string, unknown>>

export function schemaName(version: string, collection: string): string {
  const camel = collection.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return version === 'v1' ? camel : `${camel}${version.toUpperCase()}`
}

/** The singular of a collection's name: `an order` for `orders`, `an api key` for `api-keys`. */
export function oneOf(collection: string): string {
  const words = collection.replaceAll('-', ' ')
  const one = words
    .replace(/ies$/, 'y')
    .replace(/(ss|x|sh|ch)es$/, '$1')
    .replace(/(?<![suiy])s$/, '')
  return `${/^(?:[aeio]|u(?!s|ni|t))/i.test(one) ? 'an' : 'a'} ${one}`
}
