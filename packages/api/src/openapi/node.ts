/** A part of an OpenAPI document, and what the schema of a collection is called in it. */
export type OpenApiNode = Readonly<Record<string, unknown>>

export function schemaName(version: string, collection: string): string {
  const camel = collection.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return version === 'v1' ? camel : `${camel}${version.toUpperCase()}`
}
