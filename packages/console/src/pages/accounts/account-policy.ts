/** What a tenant says of accounts, as fields of a form. */
import type { Tenant } from '../tenants/list.tsx'

export interface EditableAccounts {
  readonly sign_up: boolean
  readonly sign_up_domains: readonly string[]
  readonly sign_in_links: boolean
  readonly terms_version: string
  readonly terms_url: string
}

export const editableAccounts = ({ accounts }: Pick<Tenant, 'accounts'>): EditableAccounts => ({
  sign_up: accounts?.sign_up ?? false,
  sign_up_domains: accounts?.sign_up_domains ?? [],
  sign_in_links: accounts?.sign_in_links ?? false,
  terms_version: accounts?.terms?.version ?? '',
  terms_url: accounts?.terms?.url ?? '',
})

/** RFC 7396: null takes a member away. Terms go as a whole, once nothing is said of them. */
export function accountsPatch(changes: Partial<EditableAccounts>): Readonly<Record<string, unknown>> {
  const {
    sign_up: on,
    sign_up_domains: domains,
    sign_in_links: links,
    terms_version: version,
    terms_url: url,
  } = changes
  const lines = domains?.map((line) => line.trim()).filter((line) => line !== '')
  const text = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.trim() === '' ? null : value.trim() }
  const isOver = version?.trim() === '' && url?.trim() === ''
  const terms = { ...text('version', version), ...text('url', url) }
  return {
    ...(on === undefined ? {} : { sign_up: on }),
    ...(lines === undefined ? {} : { sign_up_domains: lines.length === 0 ? null : lines }),
    ...(links === undefined ? {} : { sign_in_links: links }),
    ...(Object.keys(terms).length === 0 ? {} : { terms: isOver ? null : terms }),
  }
}
