/** The samples again, with other words in some places: whoever calls this store does the same beside. */
import type { Store } from '../src/contract/store.ts'

export function renaming<T>(value: T, rename: (text: string) => string): T {
  if (typeof value === 'string') return rename(value) as T
  if (typeof value === 'function') {
    return ((...args: unknown[]) => (value as (...args: unknown[]) => unknown)(...renaming(args, rename))) as T
  }
  if (value instanceof Uint8Array || value instanceof Set || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly unknown[]).map((it) => renaming(it, rename)) as T
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, renaming(it, rename)])) as T
}

export const beside = (store: Store, rename: (text: string) => string): Store => renaming(store, rename)
