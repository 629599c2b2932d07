/** `grantor init` */
import { type Stats, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { firstOwner } from '@grantor/authority'
import { loadSettings } from '@grantor/server'
import { type Command, type CommandContext, hasFlag } from '../../program/command.ts'
import { isInteractive, yesOption } from '../../program/confirm.ts'
import { type CommandResult, done, failure } from '../../program/exit.ts'
import { ok } from '@grantor/protocol/result'
import { completed, nameOf, settingsOfFlags, tlsEndOf, type WrittenSettings } from './init-settings.ts'
import { terminalInterviewer } from './interviewer.ts'
import { askQuestions } from './questions.ts'
import { settingsText } from './settings-text.ts'
import { createSettingsFile, replaceSettingsFile } from './write-file.ts'

const replaceOption = {
  flag: '--replace',
  description: 'put a new settings file in the place of one that is there, which is kept beside it',
}

export const init: Command = {
  name: 'init',
  description: 'ask five questions and write a settings file; every setting given as a flag goes into it',
  options: [{ ...yesOption, description: 'ask nothing: what no flag says has its default' }, replaceOption],
  listsSettings: true,
  run: async (context) => {
    const { cwd } = context.environment
    const file = resolve(cwd, String(context.settingFlags['config'] ?? 'grantor.yaml'))
    const before = statSync(file, { throwIfNoEntry: false })
    if (before !== undefined && !(await mayReplace(context, file))) return inTheWay(file)
    const gathered = await gather(context, file)
    if (gathered.kind === 'error') return gathered
    if (gathered.value === null) {
      await context.out.remark('Nothing was written.')
      return done
    }
    const text = settingsText(gathered.value)
    const problems = problemsOf(file, text)
    if (problems.length > 0) return failure('invalid', 'these settings do not hold together', { where: problems })
    return write(context, { file, text, before, settings: gathered.value })
  },
}

const inTheWay = (file: string) =>
  failure('conflict', `${file} is there already, and was left alone`, {
    fix: 'name another file with --config, or add --replace: the old one is kept beside the new one',
  })

/** Settings hold the master key, so an existing file is replaced only if the person says so. */
async function mayReplace(context: CommandContext, file: string): Promise<boolean> {
  if (hasFlag(context, replaceOption.flag)) return true
  if (!isInteractive(context) || hasFlag(context, yesOption.flag)) return false
  const { confirm } = await import('@clack/prompts')
  const message = `${file} is there already. Write a new one, and keep the old one beside it?`
  return (await confirm({ message, initialValue: false })) === true
}

/** Null when the person cancels. */
async function gather(context: CommandContext, file: string): Promise<CommandResult<WrittenSettings | null>> {
  const given = settingsOfFlags(context.settingFlags, context.environment.cwd)
  if (hasFlag(context, yesOption.flag) || !isInteractive(context)) return ok(completed(given))
  const find = (settings: WrittenSettings) => problemsOf(file, settingsText(completed(settings)))[0] ?? null
  // Checked first, because a wrong flag would make every answer fail.
  const wrong = problemsOf(file, settingsText(completed(given)))
  if (wrong.length > 0) return failure('invalid', 'the flags do not hold together', { where: wrong })
  const answered = await askQuestions(await terminalInterviewer(), given, find)
  return ok(answered === null ? null : completed(answered))
}

/** The problems of the file as `grantor start --config` will read it, without environment variables. */
function problemsOf(file: string, text: string): readonly string[] {
  const loaded = loadSettings({ flags: {}, env: {}, cwd: dirname(file), draft: { path: file, text } })
  return loaded.kind === 'ok' ? [] : loaded.error
}

interface ToWrite {
  readonly file: string
  readonly text: string
  readonly before: Stats | undefined
  readonly settings: WrittenSettings
}

async function write(context: CommandContext, { file, text, before, settings }: ToWrite): Promise<CommandResult<null>> {
  const kept = before === undefined ? null : replaceSettingsFile(file, text, before)
  // Another process created the file in the meantime.
  if (before === undefined && !createSettingsFile(file, text)) return inTheWay(file)
  const document = { file, issuer: settings[nameOf('issuer')], settings: Object.keys(settings), ...(kept && { kept }) }
  await context.out.record(document, [
    ['settings', file],
    ...(kept === null ? [] : [['kept', kept] as const]),
    ['issuer', String(document.issuer)],
  ])
  for (const line of nextSteps(context.environment.cwd, file, settings)) await context.out.remark(line)
  return done
}

function nextSteps(cwd: string, file: string, settings: WrittenSettings): readonly string[] {
  const name = relative(cwd, file) || file
  const config = name === 'grantor.yaml' ? '' : ` --config ${name}`
  const password =
    nameOf('adminPassword') in settings ? 'the password you gave' : 'a password that the first start shows'
  return [
    'Only you can read the file: keep a copy of its secrets apart from backups of the database.',
    'Next:',
    `  grantor doctor${config}    looks at the settings, the database and the certificate`,
    `  grantor start${config}     starts the server`,
    `  ${String(settings[nameOf('issuer')])}/console    sign in as ${firstOwner} with ${password}`,
    ...(tlsEndOf(settings) === 'proxy' ? ['  docs/deploy.md has recipes for the proxy in front'] : []),
  ]
}
