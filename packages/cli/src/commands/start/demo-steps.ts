/** Steps for a newcomer, each a command to paste or a URL to open. */
import { dirname, relative } from 'node:path'
import type { LandingStep, RunningServer } from '@grantor/server'
import type { Demo } from './demo.ts'

/** `cwd`: the folder where the commands will be run. */
export function demoSteps(running: RunningServer, demo: Demo, cwd: string): readonly LandingStep[] {
  const secret = demo.secrets?.['demo-service']
  // With a seed, there are no demo clients.
  if (secret === undefined) return []
  const ca = running.caFile === null ? '' : ` --cacert ${shellWord(relative(cwd, running.caFile) || running.caFile)}`
  const curl = `curl -sS${ca}`
  const service = `-u demo-service:${secret}`
  const ask = `${curl} ${service} -d grant_type=client_credentials -d scope=orders:read ${running.issuer}/token`
  const orders: readonly LandingStep[] = [
    { does: 'call', line: `${curl} -H "Authorization: Bearer $TOKEN" ${demo.orders}/v1/orders` },
    { does: 'revoke', line: `${curl} ${service} -d token="$TOKEN" ${running.issuer}/revoke` },
  ]
  return [
    // Without jq, which a newcomer may not have.
    { does: 'token', line: `TOKEN=$(${ask} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"` },
    ...(demo.ready ? orders : []),
    ...trustSteps(running, cwd),
    { does: 'browser', line: `${demo.orders}/client/` },
    { does: 'terminal', line: `npx grantor login ${running.issuer}${dataFlag(running, cwd)}` },
  ]
}

/** The step for a certificate of the local CA: without it, browsers warn. */
export const trustSteps = (running: RunningServer, cwd: string): readonly LandingStep[] =>
  running.caFile === null ? [] : [{ does: 'trust', line: `npx grantor trust${dataFlag(running, cwd)}` }]

/** Commands find the CA in the data folder, so an unusual folder is named. */
function dataFlag({ caFile }: RunningServer, cwd: string): string {
  if (caFile === null) return ''
  const data = dirname(dirname(caFile))
  const near = relative(cwd, data)
  return near === 'data' ? '' : ` --data ${shellWord(near || data)}`
}

const shellWord = (text: string): string => (/^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
