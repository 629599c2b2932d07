/** Are the operating targets met? By the metrics of a running server of this deployment since its start. */
import { type Finding, judgeTargets, operatingTargets, passed, type Settings, warning } from '@grantor/server'
import { managementAddress, type ManagedServer } from './managed-server.ts'

export function checkTargets(settings: Settings, server: ManagedServer | null): readonly Finding[] {
  const where = `${managementAddress(settings)} (management port)`
  if (server === null) return [passed('targets', `not known: no server is reachable at ${where}`)]
  if (server.isOurs !== true) {
    const whose = server.isOurs === null ? 'does not say whose it is' : 'is of another deployment'
    return [passed('targets', `not known: the server at ${where} ${whose}`)]
  }
  return judgeTargets(server.text).map(({ target, met, measured }) => {
    const check = `target ${target}`
    const { says } = operatingTargets[target]
    if (met === null) return passed(check, `not known: ${measured} (${says})`)
    if (met) return passed(check, `met: ${measured} (${says})`)
    return warning(check, `not met: ${measured} (${says})`, 'see “Operating targets” in docs/operations.md')
  })
}
