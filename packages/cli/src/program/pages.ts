/** Collects all pages of a list of the authority. */
import type { AdminResult } from '@grantor/authority'
import { ok } from '@grantor/protocol/result'
import { adminFailure, type CommandResult } from './exit.ts'

const limit = 500

export async function readAllPages<T extends { readonly id: string }>(
  readPage: (page: { readonly after: T['id'] | null; readonly limit: number }) => Promise<AdminResult<readonly T[]>>,
): Promise<CommandResult<readonly T[]>> {
  const items: T[] = []
  for (let after: T['id'] | null = null; ;) {
    const page = await readPage({ after, limit })
    if (page.kind === 'error') return adminFailure(page.error)
    items.push(...page.value)
    after = page.value.at(-1)?.id ?? null
    if (page.value.length < limit) return ok(items)
  }
}
