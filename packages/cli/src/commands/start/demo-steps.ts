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
    { does: 'terminal', line: `npx grantor login ${running.issuer}` },
  ]
}

/** Where our own CA signed what is shown: without this a browser warns of it. */
export function trustSteps({ caFile }: RunningServer, cwd: string): readonly LandingStep[] {
  if (caFile === null) return []
  const data = dirname(dirname(caFile))
  const near = relative(cwd, data)
  return [{ does: 'trust', line: `npx grantor trust${near === 'data' ? '' : ` --data ${shellWord(near || data)}`}` }]
}

const shellWord = (text: string): string => (/^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
