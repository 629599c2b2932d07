/** Administration of tenants. They are created, renamed and disabled by declaration, and removed here. */
import type { Admin } from '../face.ts'
import type { Hands } from '../hands.ts'
import { done } from './outcome.ts'

export const tenantAdmin = ({ store }: Hands): Admin['tenants'] => ({
  list: async (page) => done(await store.directory.tenants(page)),
})
