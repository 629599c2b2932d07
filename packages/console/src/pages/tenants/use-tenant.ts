/** One tenant, and how it is read and changed. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useItem } from '../../app/items/use-item.ts'
import type { Tenant } from './list.tsx'

export const useTenant = (id: string) =>
  useItem(['/v1/tenants', id], (api) => api.GET('/v1/tenants/{id}', { params: { path: { id } } }))

interface TenantCalls {
  read(): Promise<Versioned<Tenant>>
  /** RFC 7396, on the version that it is based on. */
  patch(changes: object, etag: string | null): Promise<Versioned<Tenant>>
}

export function useTenantCalls(id: string): TenantCalls {
  const { api } = useConsole()
  const params = { path: { id } }
  return {
    read: () => versioned(api.GET('/v1/tenants/{id}', { params })),
    patch: (changes, etag) =>
      versioned(api.PATCH('/v1/tenants/{id}', { params, body: changes as never, ...(ifMatch(etag) as object) })),
  }
}
