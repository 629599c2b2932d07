/** The attributes of a response: `attributes` and `excludedAttributes`, RFC 7644 §3.9. */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { type Attribute, commonAttributes, type ResourceSchema } from './attribute.ts'
import { type AttributePath, parseAttributePath, schemaNamed } from './path.ts'

export interface Projection {
  /** Only these, besides those that are always returned; null for all. */
  readonly only: readonly AttributePath[] | null
  readonly without: readonly AttributePath[]
}

export const everything: Projection = { only: null, without: [] }

/** Invalid names select nothing. A whole schema is represented by an attribute of any name. */
const anyAttribute = '*'

export function projectionOf(attributes: string | null, excluded: string | null): Projection {
  const only = attributes === null ? null : pathsIn(attributes)
  return { only: only?.length === 0 ? null : only, without: only === null ? pathsIn(excluded ?? '') : [] }
}

const pathsIn = (text: string): readonly AttributePath[] =>
  text
    .split(',')
    .slice(0, 100)
    .flatMap((one) => {
      const urn = schemaNamed(one.trim())
      return urn === null ? (parseAttributePath(one.trim()) ?? []) : { schema: urn, attribute: anyAttribute, sub: null }
    })

export function project(resource: JsonObject, schema: ResourceSchema, projection: Projection): JsonObject {
  const { core, extensions } = schema
  const shown: Record<string, Json> = {
    ...chosen(resource, [...commonAttributes, ...core.attributes], core.id, projection),
  }
  for (const { id, attributes } of extensions) {
    const held = resource[id]
    const part = isJsonObject(held) ? chosen(held, attributes, id, projection) : {}
    if (Object.keys(part).length > 0) shown[id] = part
  }
  return shown
}

/** Whether any part of that attribute could be returned, so that expensive lookups are made only then. */
export function isWanted({ only, without }: Projection, name: string): boolean {
  const names = ({ attribute }: AttributePath): boolean => attribute.toLowerCase() === name.toLowerCase()
  if (only !== null) return only.some((path) => names(path) || path.attribute === anyAttribute)
  return !without.some((path) => names(path) && path.sub === null)
}

const lower = (text: string | null): string | null => text?.toLowerCase() ?? null

function chosen(
  held: JsonObject,
  attributes: readonly Attribute[],
  urn: string,
  { only, without }: Projection,
): JsonObject {
  const isCore = attributes.some(({ name }) => name === 'id')
  const named = (paths: readonly AttributePath[], { name }: Attribute): readonly AttributePath[] =>
    paths.filter(
      ({ schema, attribute }) =>
        (schema === null ? isCore : lower(schema) === lower(urn)) &&
        (attribute === anyAttribute || lower(attribute) === lower(name)),
    )
  const shown: Record<string, Json> = {}
  for (const attribute of attributes) {
    const value = held[attribute.name]
    if (value === undefined || attribute.returned === 'never') continue
    const part =
      attribute.returned === 'always'
        ? value
        : partOf(value, { only: only && named(only, attribute), without: named(without, attribute) })
    if (part !== undefined) shown[attribute.name] = part
  }
  return shown
}

function partOf(value: Json, { only, without }: Projection): Json | undefined {
  if (only !== null) {
    if (only.length === 0) return undefined
    return only.some(({ sub }) => sub === null)
      ? value
      : parts(value, (name) => only.some(({ sub }) => lower(sub) === lower(name)))
  }
  if (without.some(({ sub }) => sub === null)) return undefined
  return without.length === 0 ? value : parts(value, (name) => !without.some(({ sub }) => lower(sub) === lower(name)))
}

function parts(value: Json, isShown: (name: string) => boolean): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((it) => parts(it, isShown) ?? [])
  if (!isJsonObject(value)) return value
  const shown = Object.entries(value).filter(([name]) => isShown(name))
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}
