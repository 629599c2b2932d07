/** A change of a tenant's directory: what it omits stays unchanged. */
import type { DirectoryChange } from '@grantor/store'

export const nothingElse = {
  putResources: [],
  dropResources: [],
  putScopes: [],
  dropScopes: [],
  createClients: [],
  replaceClients: [],
  dropClients: [],
} satisfies Partial<DirectoryChange>
