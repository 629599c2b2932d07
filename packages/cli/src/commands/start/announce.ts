/** Says that the server accepts requests: one JSON line for whoever waits for it, a banner for a person. */
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import type { LandingStep, RunningServer, Settings } from '@grantor/server'
import { managementAddress } from '../../doctor/managed-server.ts'
import { jsonText } from '../../output/printable.ts'
import type { Style } from '../../output/style.ts'
import type { CommandContext } from '../../program/command.ts'
import { writeText } from '../../program/environment.ts'
import type { Demo } from './demo.ts'
import { trustSteps } from './demo-steps.ts'
import type { FirstOwnerNews } from './first-owner.ts'

/** Someone looks at a terminal, and did not ask for JSON. */
export const isForTerminal = ({ environment, out }: CommandContext): boolean =>
  environment.stdout.isTTY === true && !out.json

interface RunningServices {
  readonly running: RunningServer
  readonly demo: Demo | null
  readonly owner: FirstOwnerNews
  /** None without a demo. */
  readonly steps: readonly LandingStep[]
}

export async function announce(context: CommandContext, settings: Settings, up: RunningServices): Promise<void> {
  const { stdout, stderr, cwd } = context.environment
  const hint = (text: string): Promise<void> => writeText(stderr, `${text}\n`).catch(() => undefined)
  const forTerminal = isForTerminal(context)
  const text = forTerminal ? banner(up, { settings, cwd, style: context.out.style }) : `${jsonText(ready(up))}\n`
  // Whoever started us may not care to hear it; that is no reason not to serve.
  await writeText(stdout, text).then(
    // Whoever saw it needs no file that holds it.
    () => (up.owner?.kind === 'password' ? rm(up.owner.path, { force: true }) : undefined),
    () => undefined,
  )
  // CI, a container: whoever reads its output is a person, too, and pastes the same lines.
  if (!forTerminal && !context.out.json)
    for (const { does, line } of up.steps) await hint(`# ${stepTitles[does]}\n${line}`)
  const remark = forTerminal && up.owner?.kind === 'file' ? null : ownerRemark(up)
  // A line of JSON where the log is: whoever reads both as one finds nothing else there, and the ready line first.
  const line = forTerminal || remark === null ? remark : jsonText({ event: 'first_owner', msg: remark })
  if (line !== null) await hint(line)
}

/** Not part of the ready line, which is for programs; and not of the log, which others may read. */
function ownerRemark({ owner, running }: RunningServices): string | null {
  if (owner?.kind === 'file')
    return `the first owner is admin; the password for its first sign-in at ${running.issuer}/console is in ${owner.path}`
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

function banner({ running, demo, owner, steps }: RunningServices, { settings, cwd, style }: BannerContext): string {
  const part = (title: string, line: string): string => `  ${style.dim(title)}\n    ${line}\n\n`
  const head = `\n  ${style.bold('Grantor')} ${style.good('is ready')} at ${running.issuer}\n\n`
  const health = part(
    'Health and metrics',
    `curl http://${managementAddress({ ...settings, managementPort: running.managementPort })}/health/ready`,
  )
  const first = part(`Administer it${ownerTitle(owner)}`, `${running.issuer}/console`)
  const stop = `  ${style.dim('Ctrl-C stops it.')}\n\n`
  if (demo === null || steps.length === 0) {
    const make = 'npx grantor client create my-service --grant-type client_credentials'
    const trust = trustSteps(running, cwd).map(({ does, line }) => part(stepTitles[does], line))
    return [head, first, part('Make a client', make), ...trust, health, stop].join('')
  }
  return [
    head,
    ...steps.map(({ does, line }) => part(stepTitles[does], line)),
    part('See and take back what you allowed', `${running.issuer}/account`),
    first,
    health,
    settings.databaseUrl === null ? part(`Everything is kept in`, relative(cwd, settings.data) || settings.data) : '',
    stop,
  ].join('')
}

function ownerTitle(owner: FirstOwnerNews): string {
  if (owner?.kind === 'password') return ` as admin; password for the first sign-in: ${owner.password}`
  return owner?.kind === 'file' ? ` as admin; the password for the first sign-in is in ${owner.path}` : ''
}

const stepTitles: Readonly<Record<LandingStep['does'], string>> = {
  token: 'Get a token',
  call: 'Call the Orders API with it',
  revoke: 'Revoke it; the same call is then refused',
  trust: 'Let the browsers of this machine trust its certificate (--remove undoes it)',
  browser: 'Sign in with a browser, as alice with the password alice',
  terminal: 'Sign in from a terminal, by a code',
}
