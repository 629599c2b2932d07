/** `grantor start` */
import { type Err, ok } from '@grantor/protocol/result'
import {
  compose,
  type Deployment,
  listen,
  type LoadedSettings,
  releaseMemory,
  type RunningServer,
  type Settings,
  switchOffPretenuring,
  switchOnOptimizing,
} from '@grantor/server'
import { type DeclarationFile, readDeclaration } from '../../declaration/read.ts'
import type { Command, CommandContext } from '../../program/command.ts'
import { orOpeningFailure } from '../../program/deployment.ts'
import { adminFailure, type CommandFailure, type CommandResult, done, type ExitResult } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'
import { announce, isForTerminal } from './announce.ts'
import { declareDemo, type DeclaredDemo, openDemo } from './demo.ts'
import { demoSteps } from './demo-steps.ts'
import { ensureFirstOwner, type FirstOwnerNews } from './first-owner.ts'

export const start: Command = {
  name: 'start',
  description: 'start the authorization server',
  listsSettings: true,
  run: async (context) => {
    // From now on a signal means: finish work in progress, then stop.
    const stopped = context.environment.stopped()
    let reload = (): void => {}
    context.environment.onHangup(() => reload())
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { warnings } = read.value
    const settings = quietLog(context, read.value)
    for (const warning of warnings) await context.out.remark(`warning: ${warning}`)
    const seed = settings.seed === null ? ok(null) : await readDeclaration(settings.seed, context.environment)
    if (seed.kind === 'error') return seed
    return orOpeningFailure(async () => {
      const deployment = await context.out.progress('preparing the database', (report) =>
        compose(settings, 'server', {
          // Work on rows of a large table shows its share; a statement has none, and the line shows its duration.
          report: (_migration, count, total) => (total > 1 ? report(count, total) : undefined),
        }),
      )
      for (const id of await disableNamedAsPeople(deployment))
        await context.out.remark(`warning: client ${id} is disabled: its id is the subject of a person`)
      const opened = await context.out.progress('starting', () =>
        openServer(deployment, seed.value, isForTerminal(context)),
      )
      if (opened.kind === 'error') return opened
      const onReload = (act: () => void): void => void (reload = act)
      return serve({ context, stopped, onReload }, deployment, opened.value)
    })
  },
}

/** At a terminal, logs only warnings unless a level was set, because a person reads the banner. */
const quietLog = (context: CommandContext, { settings, sources }: LoadedSettings): Settings =>
  isForTerminal(context) && sources.log.kind === 'default' ? { ...settings, log: 'warn' } : settings

interface StartedCommand {
  readonly context: CommandContext
  readonly stopped: Promise<void>
  readonly onReload: (act: () => void) => void
}

async function serve(
  { context, stopped, onReload }: StartedCommand,
  deployment: Deployment,
  { running, owner, declared }: OpenedServer,
): Promise<ExitResult> {
  // The demo is closed before the server that it uses.
  await using services = new AsyncDisposableStack()
  services.defer(() => running.close())
  const demo = declared === null ? ok(null) : await openDemo(deployment, running, declared)
  if (demo.kind === 'error') return demo
  if (demo.value !== null) services.defer(() => demo.value?.close())
  onReload(() => void running.reload().then(() => demo.value?.renewCertificate()))
  const steps = demo.value === null ? [] : demoSteps(running, demo.value, context.environment.cwd)
  deployment.demoSteps.current = steps
  switchOffPretenuring()
  await announce(context, deployment.settings, { running, demo: demo.value, owner, steps })
  releaseMemory()
  switchOnOptimizing()
  await stopped
  return done
}

interface OpenedServer {
  readonly running: RunningServer
  readonly owner: FirstOwnerNews
  readonly declared: DeclaredDemo | null
}

/** The opened server owns the deployment and closes it; on failure it is closed here. */
async function openServer(
  deployment: Deployment,
  seed: DeclarationFile | null,
  forTerminal: boolean,
): Promise<CommandResult<OpenedServer>> {
  try {
    const opened = await declareAndListen(deployment, seed, forTerminal)
    if (opened.kind === 'error') await deployment.close()
    return opened
  } catch (error) {
    await deployment.close()
    throw error
  }
}

async function declareAndListen(
  deployment: Deployment,
  seed: DeclarationFile | null,
  forTerminal: boolean,
): Promise<CommandResult<OpenedServer>> {
  const declared = await declareObjects(deployment, seed)
  if (declared.kind === 'error') return declared
  // After the seed, which may declare owners itself.
  const owner = await ensureFirstOwner(deployment, forTerminal)
  if (owner.kind === 'error') return owner
  return ok({ running: await listen(deployment), owner: owner.value, declared: declared.value })
}

async function declareObjects(
  deployment: Deployment,
  seed: DeclarationFile | null,
): Promise<CommandResult<DeclaredDemo | null>> {
  const demo = deployment.settings.demo ? await declareDemo(deployment) : ok(null)
  if (demo.kind === 'error' || seed === null) return demo
  return (await applySeed(deployment, seed)) ?? demo
}

/** Disables clients of an older database whose id is also the subject of a person. */
async function disableNamedAsPeople({ authority }: Deployment): Promise<readonly string[]> {
  const disabled = await authority.admin.clients.disableNamedAsPeople({ kind: 'system', id: 'start' })
  return disabled.kind === 'ok' ? disabled.value.map(({ id }) => id) : []
}

async function applySeed(
  { authority, settings }: Deployment,
  { declaration, locate }: DeclarationFile,
): Promise<Err<CommandFailure> | null> {
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'seed' }, declaration, {
    prune: false,
    // The demo allows weak passwords.
    anyPassword: settings.demo,
  })
  return applied.kind === 'ok' ? null : adminFailure(applied.error, locate)
}
