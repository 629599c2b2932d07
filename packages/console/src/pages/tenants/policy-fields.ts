/** The registration policy of a tenant as fields of a form: texts, of which the empty one leaves it to the deployment. */
import type { Tenant } from './list.tsx'

const day = 86_400

const choiceFields = ['mode', 'error_redirects'] as const

export interface PolicyFields {
  readonly mode: string
  readonly metadata_documents: string
  readonly error_redirects: string
  /** Names with blanks between. */
  readonly scopes: string
  readonly most_clients: string
  /** In days. */
  readonly unused_life: string
}

export function editablePolicy(tenant: Pick<Tenant, 'registration'>): PolicyFields {
  const own = (tenant.registration ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string): string => {
    const value = own[name]
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  }
  return {
    mode: text('mode'),
    metadata_documents: text('metadata_documents'),
    error_redirects: text('error_redirects'),
    scopes: Array.isArray(own['scopes']) ? own['scopes'].join(' ') : '',
    most_clients: text('most_clients'),
    unused_life: typeof own['unused_life'] === 'number' ? String(own['unused_life'] / day) : '',
  }
}

/** RFC 7396: null takes a member away. What is no number is sent as it is, and refused at its field. */
export function policyPatch(changes: Partial<PolicyFields>): Readonly<Record<string, unknown>> {
  const patch: Record<string, unknown> = {}
  for (const [name, typed] of Object.entries(changes) as [keyof PolicyFields, string][]) {
    const text = typed.trim()
    patch[name] = text === '' ? null : valueOf(name, text)
  }
  return patch
}

function valueOf(name: keyof PolicyFields, text: string): unknown {
  if ((choiceFields as readonly string[]).includes(name)) return text
  if (name === 'metadata_documents') return text === 'true'
  if (name === 'scopes') return text.split(/\s+/)
  const number = Number(text.replace(',', '.'))
  if (!Number.isFinite(number)) return text
  return name === 'unused_life' ? Math.round(number * day) : number
}
