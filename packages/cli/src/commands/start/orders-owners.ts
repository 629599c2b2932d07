/** Who has orders when the demo is started for the first time: the people there are, and the clients that may call. */
import type { Admin } from '@grantor/authority'
import type { OrderOwner } from '@grantor/demo'

/** A first page of each is enough to try things with. */
const page = { after: null, limit: 100 }

/** What cannot be read just now has no orders: the demo starts all the same. */
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
