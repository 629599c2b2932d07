/** Are the operating targets met? As a running server counted since it was started. */
import { type Finding, judgeTargets, operatingTargets, passed, type Settings, warning } from '@grantor/server'

/** Milliseconds; nobody at a port of this machine is told at once. */
const timeout = 10_000

export async function checkTargets({ managementPort }: Settings): Promise<readonly Finding[]> {
  const text = managementPort === 0 ? null : await metricsAt(managementPort)
  if (text === null)
    return [passed('targets', `not known: no server is reachable at 127.0.0.1:${managementPort} (management port)`)]
  return judgeTargets(text).map(({ target, met, measured }) => {
    const check = `target ${target}`
    const { says } = operatingTargets[target]
    if (met === null) return passed(check, `not known: ${measured} (${says})`)
    if (met) return passed(check, `met: ${measured} (${says})`)
    return warning(check, `not met: ${measured} (${says})`, 'see “Operating targets” in docs/operations.md')
  })
}

/** Of a server of ours; null where nobody answers, or another program does. */
export async function metricsAt(port: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(timeout) })
    const text = await answer.text()
    return answer.ok && text.includes('\ngrantor_ready ') ? text : null
  } catch {
    return null
  }
}
