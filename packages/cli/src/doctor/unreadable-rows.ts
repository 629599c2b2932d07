/** Can every row of the directory be read? Unreadable rows count as absent. */
import type { Tenant } from '@grantor/protocol/oauth'
import { type Deployment, failed, type Finding, passed } from '@grantor/server'
import type { UnreadableRow } from '@grantor/store'
import { readAllPages } from '../program/pages.ts'

const mostNamed = 10
const pageSize = 500

export async function checkRows({ authority: { admin }, store }: Deployment): Promise<readonly Finding[]> {
  const tenants = await readAllPages<Tenant>((page) => admin.tenants.list(page))
  for (const { id } of tenants.kind === 'ok' ? tenants.value : []) {
    await store.directory.catalogue(id)
    await readThrough((page) => store.clients.list(id, page))
    await readThrough((page) => store.users.list(id, page))
  }
  const rows = store.unreadable.list()
  if (rows.length === 0) return [passed('directory', 'every row can be read')]
  const findings = rows.slice(0, mostNamed).map((row) => failed('directory', nameOf(row), fixOf(row)))
  const others = rows.length - mostNamed
  if (others <= 0) return findings
  return [...findings, failed('directory', `${others} more`, 'mend those that are named, then run the doctor again')]
}

/** Reads all rows only to find unreadable ones. */
async function readThrough(
  read: (page: {
    readonly after: string | null
    readonly limit: number
  }) => Promise<readonly { readonly id: string }[]>,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const page = await read({ after, limit: pageSize })
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) return
  }
}

const nameOf = ({ kind, tenant, id, username, problem }: UnreadableRow): string =>
  `${kind} ${username === undefined ? id : `${username} (${id})`} of tenant ${tenant} cannot be read and counts as absent: ${problem}`

const fixOf = ({ kind, id }: UnreadableRow): string =>
  kind === 'client'
    ? `declare it anew with \`grantor apply\`, or remove it with \`grantor client delete ${id}\``
    : 'declare it anew with `grantor apply`'
