/** A change of a tenant's directory that says little: what it does not say stays as it is. */
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
