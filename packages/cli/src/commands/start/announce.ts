/** Says that the server accepts requests: one JSON line for whoever waits for it, a banner for a person. */
import { relative } from 'node:path'
import type { RunningServer, Settings } from '@grantor/server'
import { jsonText } from '../../output/printable.ts'
import type { Style } from '../../output/style.ts'
import type { CommandContext } from '../../program/command.ts'
import { writeText } from '../../program/environment.ts'
import type { Demo } from './demo.ts'
import type { FirstOwnerNews } from './first-owner.ts'

/** Someone looks at a terminal, and did not ask for JSON. */
export const isForTerminal = ({ environment, out }: CommandContext): boolean =>
  environment.stdout.isTTY === true && !out.json

interface RunningServices {
  readonly running: RunningServer
  readonly demo: Demo | null
  readonly owner: FirstOwnerNews
}

export async function announce(context: CommandContext, settings: Settings, up: RunningServices): Promise<void> {
  const { stdout, stderr, cwd } = context.environment
  const forTerminal = isForTerminal(context)
  const text = forTerminal ? banner(up, { settings, cwd, style: context.out.style }) : `${jsonText(ready(up))}\n`
  // Whoever started us may not care to hear it; that is no reason not to serve.
  await writeText(stdout, text).catch(() => undefined)
  const remark = ownerRemark(up.owner)
  // A line of JSON where the log is: whoever reads both as one finds nothing else there, and the ready line first.
  const line = forTerminal || remark === null ? remark : jsonText({ event: 'first_owner', msg: remark })
  if (line !== null) await writeText(stderr, `${line}\n`).catch(() => undefined)
}

/** Not part of the ready line, which is for programs; and not of the log, which others may read. */
function ownerRemark(owner: FirstOwnerNews): string | null {
  if (owner?.kind === 'file') return `the first owner is admin; the password for its first sign-in is in ${owner.path}`
  if (owner?.kind !== 'none') return null
  return 'nobody is an owner; `grantor user administrator <username> owner` makes somebody one'
}

const ready = ({ running, demo }: RunningServices) => ({
  event: 'ready',
  issuer: running.issuer,
  port: running.port,
  ...(running.mtlsPort === null ? {} : { mtls_port: running.mtlsPort }),
  management_port: running.managementPort,
  ...(demo === null ? {} : { demo_port: demo.port, demo_mtls_port: demo.mtlsPort }),
  pid: process.pid,
})

interface BannerContext {
  readonly settings: Settings
  readonly cwd: string
  readonly style: Style
}

function banner({ running, demo, owner }: RunningServices, { settings, cwd, style }: BannerContext): string {
  const ca = running.caFile === null ? '' : `--cacert ${shellWord(relative(cwd, running.caFile) || running.caFile)} `
  const part = (title: string, line: string): string => `  ${style.dim(title)}\n    ${line}\n\n`
  const head = `\n  ${style.bold('Grantor')} ${style.good('is ready')} at ${running.issuer}\n\n`
  const health = part('Health and metrics', `curl http://127.0.0.1:${running.managementPort}/health/ready`)
  const first =
    owner?.kind === 'password'
      ? part(`Administer it as admin; password for the first sign-in: ${owner.password}`, `${running.issuer}/account`)
      : ''
  const stop = `  ${style.dim('Ctrl-C stops it.')}\n\n`
  const secret = demo?.secrets?.['demo-service']
  if (demo === null || secret === undefined) {
    const make = 'npx grantor client create my-service --grant-type client_credentials'
    return `${head}${first}${part('Make a client', make)}${health}${stop}`
  }
  const curl = `curl -sS ${ca}`.trimEnd()
  const service = `-u demo-service:${secret}`
  const ask = `${curl} ${service} -d grant_type=client_credentials -d scope=orders:read ${running.issuer}/token`
  // Without jq: a newcomer may not have it.
  const token = `TOKEN=$(${ask} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"`
  const call = `${curl} -H "Authorization: Bearer $TOKEN" ${demo.orders}/v1/orders`
  const revoke = `${curl} ${service} -d token="$TOKEN" ${running.issuer}/revoke`
  return [
    head,
    part('Get a token', token),
    demo.ready ? part('Call the Orders API with it', call) : '',
    demo.ready ? part('Revoke it; the same call is then refused', revoke) : '',
    part('Sign in with a browser, as alice with the password alice', `${demo.orders}/client/`),
    part('Sign in from a terminal, by a code', `npx grantor login ${running.issuer}`),
    part('See and take back what you allowed', `${running.issuer}/account`),
    first,
    health,
    settings.databaseUrl === null ? part(`Everything is kept in`, relative(cwd, settings.data) || settings.data) : '',
    stop,
  ].join('')
}

const shellWord = (text: string): string => (/^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
