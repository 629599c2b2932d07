/** Is every client that is registered one that could be registered today? */
import type { Tenant } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Deployment, type Finding, passed, warning } from '@grantor/server'
import { readAllPages } from '../program/pages.ts'

const mostNamed = 10

export async function checkClients({ authority: { admin } }: Deployment): Promise<readonly Finding[]> {
  const tenants = await readAllPages<Tenant>((page) => admin.tenants.list(page))
  if (tenants.kind === 'error') return []
  const findings: Finding[] = []
  for (const { id: tenant } of tenants.value) {
    const clients = await readAllPages<Client>((page) => admin.clients.list(tenant, page))
    for (const client of clients.kind === 'ok' ? clients.value : []) {
      const problems = await admin.clients.problems(client)
      const first = problems.kind === 'ok' ? problems.value[0] : undefined
      if (first === undefined) continue
      const which = `client ${client.id} of tenant ${tenant}`
      findings.push(warning('clients', `${which}: ${first.field} ${first.problem}`, 'change it, or remove the client'))
    }
  }
  if (findings.length === 0) return [passed('clients', 'all could be registered today')]
  const others = findings.length - mostNamed
  if (others <= 0) return findings
  const rest = warning('clients', `${others} more`, 'mend those that are named, then run the doctor again')
  return [...findings.slice(0, mostNamed), rest]
}
