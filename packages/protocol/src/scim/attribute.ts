/** Attributes of SCIM resources and their characteristics: RFC 7643 §2, §7. */

export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'

export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable' | 'writeOnly'
  readonly returned: 'always' | 'default' | 'never'
  readonly uniqueness: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
  /** The maximum number of values in a request, if it differs from the default. */
  readonly mostValues?: number
}

export interface AttributeSet {
  /** The URN. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

/** A kind of resource: its own attributes, and those of extensions, which are in an object under their URN. */
export interface ResourceSchema {
  readonly core: AttributeSet
  readonly extensions: readonly AttributeSet[]
  /** The path below the root of the service. */
  readonly endpoint: string
}

type Characteristics = Partial<Omit<Attribute, 'name' | 'type' | 'description'>>

/** RFC 7643 §2.2: the defaults. */
const usual = {
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const

export const attribute = (
  name: string,
  type: AttributeType,
  description: string,
  more: Characteristics = {},
): Attribute => ({ ...usual, name, type, description, ...more })

export const string = (name: string, description: string, more: Characteristics = {}): Attribute =>
  attribute(name, 'string', description, more)

/** RFC 7643 §2.4: the default sub-attributes of multi-valued attributes. */
export function values(name: string, description: string, canonicalValues: readonly string[]): Attribute {
  const subAttributes = [
    string('value', 'The value'),
    string('display', 'How it is shown'),
    string('type', 'What it is for', { canonicalValues }),
    attribute('primary', 'boolean', 'Whether it is the one that counts'),
  ]
  return attribute(name, 'complex', description, { multiValued: true, subAttributes })
}

const meta = attribute('meta', 'complex', 'What the service keeps of the resource', {
  mutability: 'readOnly',
  subAttributes: [
    string('resourceType', 'What it is', { mutability: 'readOnly', caseExact: true }),
    attribute('created', 'dateTime', 'When it was made', { mutability: 'readOnly' }),
    attribute('lastModified', 'dateTime', 'When it was last changed', { mutability: 'readOnly' }),
    string('location', 'Its address', { mutability: 'readOnly', caseExact: true }),
    string('version', 'Its entity tag', { mutability: 'readOnly', caseExact: true }),
  ],
})

/** RFC 7643 §3.1: every resource has these, and no schema lists them. */
export const commonAttributes: readonly Attribute[] = [
  string('schemas', 'The schemas of the resource', {
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  string('id', 'Given by the service, never another', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  string('externalId', 'Given by whoever provisions', { caseExact: true }),
  meta,
]

const named = (attributes: readonly Attribute[], name: string): Attribute | null =>
  attributes.find((it) => it.name.toLowerCase() === name.toLowerCase()) ?? null

/** RFC 7643 §2.1: names are case-insensitive. */
export const subAttributeOf = ({ subAttributes = [] }: Attribute, name: string): Attribute | null =>
  named(subAttributes, name)

/** An attribute with its place in the resource. */
export interface FoundAttribute {
  readonly attribute: Attribute
  /** The URN of its extension; null for an attribute of the resource itself. */
  readonly extension: string | null
}

export function findAttribute(
  { core, extensions }: ResourceSchema,
  urn: string | null,
  name: string,
): FoundAttribute | null {
  const extension = extensions.find(({ id }) => id.toLowerCase() === urn?.toLowerCase())
  if (extension !== undefined) {
    const attribute = named(extension.attributes, name)
    return attribute && { attribute, extension: extension.id }
  }
  if (urn !== null && urn.toLowerCase() !== core.id.toLowerCase()) return null
  const attribute = named([...commonAttributes, ...core.attributes], name)
  return attribute && { attribute, extension: null }
}
