/** The query of a page's address: plain names and texts, as everybody writes them; empty ones are left out. */

export type SearchParams = Readonly<Record<string, string | undefined>>

export const parseSearch = (search: string): SearchParams => Object.fromEntries(new URLSearchParams(search))

export function stringifySearch(params: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}
