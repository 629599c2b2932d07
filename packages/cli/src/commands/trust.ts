/** `grantor trust` */
import { ok } from '@grantor/protocol/result'
import { printable } from '../output/printable.ts'
import { type Command, type CommandContext, hasFlag, textOption } from '../program/command.ts'
import { isInteractive, yesOption } from '../program/confirm.ts'
import { type CommandResult, done, type ExitResult, failure } from '../program/exit.ts'
import { readSettings } from '../program/settings.ts'
import { browserStores } from '../trust/browser-stores.ts'
import {
  type ChangeContext,
  changeStore,
  isMissing,
  missingReport,
  reportStore,
  shellLine,
  type StoreReport,
  type Wanted,
} from '../trust/change-stores.ts'
import { type LocalAuthority, readLocalAuthority } from '../trust/local-authority.ts'
import { type Machine, thisMachine } from '../trust/machine.ts'
import { type MissingStore, storeKinds, type TrustStore } from '../trust/store.ts'
import { systemStore } from '../trust/system-stores.ts'

export const trust: Command = {
  name: 'trust',
  description: 'let this machine and its browsers trust the certificates of the local CA, or no longer',
  options: [
    { flag: '--remove', description: 'take it out again' },
    {
      flag: '--all',
      description: 'with --remove: whatever `grantor trust` has put there, also from other data folders',
    },
    { flag: '--list', description: 'change nothing, say where it is trusted' },
    {
      flag: '--store',
      description: 'only the one of the system, or only those of browsers',
      takes: 'text',
      placeholder: 'which',
      choices: storeKinds,
      otherwise: 'both',
    },
    { ...yesOption, description: 'do not ask before sudo is used' },
  ],
  run: async (context) => {
    const machine = thisMachine(context.environment)
    const asked = wantedBy(context)
    if (asked.kind === 'error') return asked
    const stores = storesFor(context, machine)
    if (machine.isSudo && stores.some(({ kind }) => kind === 'browsers'))
      return failure('invalid', 'with sudo the stores of your browsers would come to belong to root', {
        fix: 'run it as yourself: it asks for sudo where that is needed; or with --store system',
      })
    return hasFlag(context, '--list')
      ? list(context, stores, asked.value)
      : change(context, stores, { machine, wanted: asked.value })
  },
}

function storesFor(context: CommandContext, machine: Machine): readonly (TrustStore | MissingStore)[] {
  const only = textOption(context, '--store')
  return [systemStore(machine), ...browserStores(machine)].filter(({ kind }) => only === undefined || kind === only)
}

function wantedBy(context: CommandContext): CommandResult<Wanted> {
  const [remove, all, listed] = ['--remove', '--all', '--list'].map((flag) => hasFlag(context, flag))
  if (all === true && remove !== true) return failure('invalid', '--all goes with --remove')
  if (listed === true && remove === true) return failure('invalid', '--list changes nothing: leave --remove out')
  if (all === true) return ok({ state: 'not trusted', authority: null })
  const read = readSettings(context)
  if (read.kind === 'error') return read
  const authority = readLocalAuthority(read.value.settings)
  if (authority.kind === 'error') return authority
  return ok({ state: remove === true ? 'not trusted' : 'trusted', authority: authority.value })
}

async function list(
  context: CommandContext,
  stores: readonly (TrustStore | MissingStore)[],
  { authority }: Wanted,
): Promise<ExitResult> {
  if (authority === null) return done
  const reports: StoreReport[] = []
  for (const store of stores)
    reports.push(isMissing(store) ? missingReport(store) : await reportStore(store, authority))
  await show(context, reports, authority)
  return done
}

async function change(
  context: CommandContext,
  stores: readonly (TrustStore | MissingStore)[],
  { machine, wanted }: { readonly machine: Machine; readonly wanted: Wanted },
): Promise<ExitResult> {
  const mayUseSudo: ChangeContext['mayUseSudo'] = async (commands) => {
    // Without a terminal to ask on, sudo is used only with --yes.
    if (hasFlag(context, yesOption.flag) || !isInteractive(context)) return hasFlag(context, yesOption.flag)
    const { confirm } = await import('@clack/prompts')
    return (await confirm({ message: printable(`Run ${commands.map(shellLine).join(' && ')}`) })) === true
  }
  const reports: StoreReport[] = []
  for (const store of stores)
    reports.push(isMissing(store) ? missingReport(store) : await changeStore(store, wanted, { machine, mayUseSudo }))
  await show(context, reports, wanted.authority)
  // A missing store contains nothing to remove.
  const open = reports.filter(
    ({ state }) => state !== wanted.state && !(wanted.state === 'not trusted' && state === 'unavailable'),
  )
  if (open.length === 0) return done
  return failure('failed', `not ${wanted.state === 'trusted' ? 'put into' : 'taken out of'} every store`, {
    where: open.map(({ store, fix }) => `${store}: ${fix ?? ''}`),
  })
}

const show = (context: CommandContext, reports: readonly StoreReport[], authority: LocalAuthority | null) =>
  context.out.document(
    { authority: authority === null ? null : { file: authority.file, sha256: authority.fingerprint }, stores: reports },
    reports.map((report) => line(report, context)).join(''),
  )

function line({ store, place, state, changed }: StoreReport, { out: { style } }: CommandContext): string {
  const mark = { trusted: style.good, 'not trusted': style.dim, unavailable: style.warn }[state](state.padEnd(11))
  return `${mark}  ${printable(store)}${place === null ? '' : `  ${style.dim(printable(place))}`}${changed ? '  (changed)' : ''}\n`
}
