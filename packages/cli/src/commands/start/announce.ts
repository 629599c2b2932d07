/** Announces that the server accepts requests: one JSON line for programs, a banner for people. */
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

/** Whether stdout is a terminal and --json was not given. */
export const isForTerminal = ({ environment, out }: CommandContext): boolean =>
  environment.stdout.isTTY === true && !out.json

interface RunningServices {
  readonly running: RunningServer
  readonly demo: Demo | null
  readonly owner: FirstOwnerNews
  /** Empty without a demo. */
  readonly steps: readonly LandingStep[]
}

export async function announce(context: CommandContext, settings: Settings, up: RunningServices): Promise<void> {
  const { stdout, stderr, cwd } = context.environment
  const hint = (text: string): Promise<void> => writeText(stderr, `${text}\n`).catch(() => undefined)
  const forTerminal = isForTerminal(context)
  const text = forTerminal ? banner(up, { settings, cwd, style: context.out.style }) : `${jsonText(ready(up))}\n`
  // A closed stdout must not keep the server from serving.
  await writeText(stdout, text).then(
    // A password shown on the terminal needs no file.
    () => (up.owner?.kind === 'password' ? rm(up.owner.path, { force: true }) : undefined),
    () => undefined,
  )
  // In CI or a container, people also read the output and paste these lines.
  if (!forTerminal && !context.out.json)
    for (const { does, line } of up.steps) await hint(`# ${stepTitles[does]}\n${line}`)
  const remark = forTerminal && up.owner?.kind === 'file' ? null : ownerRemark(up)
  // A line of JSON like those of the log, for readers that take both streams together; after the ready line.
  const line = forTerminal || remark === null ? remark : jsonText({ event: 'first_owner', msg: remark })
  if (line !== null) await hint(line)
}

/** Not in the ready line, which is for programs, nor in the log, which others may read. */
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
