/** The lists of the admin API: which there are, what is in them, and how a page of one is asked for. */
import { answered, type AdminApi } from './client.ts'
import type { paths } from './schema.d.ts'

type Page = { readonly items: readonly unknown[]; readonly next_cursor: string | null }
type PageAt<P extends keyof paths> = paths[P] extends {
  readonly get: { readonly responses: { readonly 200: { content: { readonly 'application/json': infer B } } } }
}
  ? B
  : never

export type ListPath = {
  [P in keyof paths]: PageAt<P> extends Page ? (PageAt<P> extends never ? never : P) : never
}[keyof paths]
export type ItemOf<P extends ListPath> = PageAt<P> extends { readonly items: readonly (infer T)[] } ? T : never

export interface ListPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export type ListQuery = Readonly<Record<string, string | number | undefined>>

/** As many rows as a page of the console shows. */
export const pageSize = 50

/** Filters that are empty are not sent. */
export async function readPage<P extends ListPath>(
  api: AdminApi,
  path: P,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ListPage<ItemOf<P>>> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
  // One call for all lists: which filters each has is checked by the server, and by the pages that name them.
  const get = api.GET as (
    path: string,
    options: object,
  ) => Promise<{ data?: Page; error?: unknown; response: Response }>
  // A search that has read for long without finding anything says where it goes on.
  for (let cursor = given['cursor']; ;) {
    const page = await answered(get(path, { params: { query: { limit: pageSize, ...given, cursor } }, signal }))
    if (page.items.length > 0 || page.next_cursor === null)
      return { items: page.items as readonly ItemOf<P>[], next: page.next_cursor }
    cursor = page.next_cursor
  }
}
