/** The owners of sample orders at the demo's first start: the people, and the clients that may call the API. */
import type { Admin } from '@grantor/authority'
import type { OrderOwner } from '@grantor/demo'

/** A first page of each is enough for a demo. */
const page = { after: null, limit: 100 }

/** People and clients that cannot be read now get no orders; the demo starts anyway. */
export async function ordersOwners({ tenants, users, clients }: Admin): Promise<readonly OrderOwner[]> {
  const found = await tenants.list({ after: null, limit: 20 })
  const owners: OrderOwner[] = []
  for (const { id: tenant } of found.kind === 'ok' ? found.value : []) {
    const [people, apps] = [await users.list(tenant, page), await clients.list(tenant, page)]
    const callers = apps.kind === 'ok' ? apps.value.filter(({ metadata }) => mayCall(metadata.scope)) : []
    const named = [...(people.kind === 'ok' ? people.value : []), ...callers]
    owners.push(...named.map(({ id: owner }) => ({ tenant, owner })))
  }
  return owners
}

const mayCall = (scope: string | undefined): boolean =>
  scope?.split(' ').some((one) => one.startsWith('orders:')) === true
