/** What a newcomer can try, each as a line to paste or an address to open. */
import { dirname, relative } from 'node:path'
import type { LandingStep, RunningServer } from '@grantor/server'
import type { Demo } from './demo.ts'

/** `cwd`: where the lines are pasted. */
export function demoSteps(running: RunningServer, demo: Demo, cwd: string): readonly LandingStep[] {
  const secret = demo.secrets?.['demo-service']
  // The seed says who the clients are.
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
    // Without jq: a newcomer may not have it.
    { does: 'token', line: `TOKEN=$(${ask} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"` },
    ...(demo.ready ? orders : []),
    ...trustSteps(running, cwd),
    { does: 'browser', line: `${demo.orders}/client/` },
    { does: 'terminal', line: `npx grantor login ${running.issuer}${dataFlag(running, cwd)}` },
  ]
}

/** Where our own CA signed what is shown: without this a browser warns of it. */
export const trustSteps = (running: RunningServer, cwd: string): readonly LandingStep[] =>
  running.caFile === null ? [] : [{ does: 'trust', line: `npx grantor trust${dataFlag(running, cwd)}` }]

/** Commands find the CA in the data folder: where that is not the usual one, they are told. */
function dataFlag({ caFile }: RunningServer, cwd: string): string {
  if (caFile === null) return ''
  const data = dirname(dirname(caFile))
  const near = relative(cwd, data)
  return near === 'data' ? '' : ` --data ${shellWord(near || data)}`
}

const shellWord = (text: string): string => (/^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
