/** Can tokens of trusted issuers be used: can their keys be fetched, and do the clients in their rules exist? */
import type { TrustedIssuerState } from '@grantor/authority'
import type { Tenant } from '@grantor/protocol/oauth'
import { type Deployment, failed, type Finding, passed, warning } from '@grantor/server'
import { readAllPages } from '../program/pages.ts'

const check = 'trusted issuers'

export async function checkTrustedIssuers({ authority: { admin } }: Deployment): Promise<readonly Finding[]> {
  const tenants = await readAllPages<Tenant>((page) => admin.tenants.list(page))
  const findings: Finding[] = []
  for (const { id, trustedIssuers = [] } of tenants.kind === 'ok' ? tenants.value : []) {
    if (trustedIssuers.length === 0) continue
    const examined = await admin.trustedIssuers.examine(id)
    if (examined.kind === 'ok') for (const state of examined.value) findings.push(...findingsOf(id, state))
  }
  return findings.length === 0 ? [passed(check, 'none are declared')] : findings
}

function findingsOf(tenant: string, { trusted, keys, missingClients }: TrustedIssuerState): readonly Finding[] {
  const which = `${trusted.issuer} of tenant ${tenant}`
  return [keysFinding(which, keys), ...missingClients.map((id) => clientFinding(which, id))]
}

const clientFinding = (which: string, id: string): Finding =>
  warning(
    check,
    `${which}: a rule names client ${id}, which is not there or disabled`,
    'declare the client, or take the rule away',
  )

function keysFinding(which: string, keys: TrustedIssuerState['keys']): Finding {
  if (typeof keys === 'number' && keys > 0) return passed(check, `${which}: ${keys} ${keys === 1 ? 'key' : 'keys'}`)
  const why = typeof keys === 'number' ? 'it has no key that can be used' : problems[keys]
  return failed(
    check,
    `${which}: no token of it is believed: ${why}`,
    'check the issuer, its jwks_uri and outbound.allow',
  )
}

const problems: Readonly<Record<Exclude<TrustedIssuerState['keys'], number>, string>> = {
  address: 'its address is none that may be asked',
  unreachable: 'nobody answers there',
  status: 'it does not answer with 200',
  type: 'it does not answer with JSON',
  size: 'its answer is too long',
  time: 'it takes too long to answer',
  undiscovered: 'its discovery document does not name it and its keys',
}
