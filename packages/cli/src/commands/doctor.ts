/** `grantor doctor` */
import {
  checkCertificate,
  checkDatabase,
  checkDataFolder,
  failed,
  type Finding,
  passed,
  type Settings,
  warning,
} from '@grantor/server'
import { checkRecords, openIfThere } from '../doctor/database.ts'
import { checkIssuer } from '../doctor/issuer.ts'
import { checkMail } from '../doctor/mail.ts'
import { managedServer } from '../doctor/managed-server.ts'
import { checkPorts } from '../doctor/ports.ts'
import { checkRuntime } from '../doctor/runtime.ts'
import { checkTargets } from '../doctor/targets.ts'
import { printable } from '../output/printable.ts'
import type { Style } from '../output/style.ts'
import type { Command } from '../program/command.ts'
import { openingFailure } from '../program/deployment.ts'
import { done, failure } from '../program/exit.ts'
import { readSettings } from '../program/settings.ts'

export const doctor: Command = {
  name: 'doctor',
  description:
    'look at everything the server needs and whether it meets its operating targets, and say what to do about what is wrong; ends with 1 where a check failed, with 0 where there were warnings at most',
  run: async (context) => {
    const read = readSettings(context)
    const findings = [
      checkRuntime(),
      ...(read.kind === 'ok'
        ? [
            ...read.value.warnings.map((text) => warning('settings', text, 'leave it out')),
            passed('settings', 'hold together'),
            ...(await examine(read.value.settings)),
          ]
        : read.error.where.map((problem) => failed('settings', problem, read.error.fix ?? ''))),
    ]
    const failures = findings.filter(({ state }) => state === 'fail').length
    await context.out.document(
      { ok: failures === 0, findings: findings.map(findingDocument) },
      findings.map((finding) => line(finding, context.out.style)).join(''),
    )
    return failures === 0 ? done : failure('failed', failures === 1 ? 'one check failed' : `${failures} checks failed`)
  },
}

async function examine(settings: Settings): Promise<readonly Finding[]> {
  const opened = await openIfThere(settings)
  const issuer = settings.issuer ?? `https://localhost:${settings.port}`
  const before = [
    ...(await checkDataFolder(settings)),
    await checkCertificate(settings, issuer, Date.now()),
    await checkMail(settings),
  ]
  if (opened.kind === 'error') {
    // A database that cannot be opened may have a server; a missing one has none.
    const name = opened.error.state === 'fail' ? { issuer, epoch: null } : null
    const server = await managedServer(settings, name)
    const ports = await checkPorts(settings, { server, answered: false })
    return [...before, opened.error, ...ports, ...checkTargets(settings, server)]
  }
  const deployment = opened.value
  try {
    const { findings, answered } = await checkIssuer(deployment, Date.now)
    const server = await managedServer(settings, { issuer, epoch: await deployment.store.epoch() })
    return [
      ...before,
      ...(await checkDatabase(deployment, Date.now())),
      ...(await checkRecords(deployment)),
      ...(await checkPorts(settings, { server, answered })),
      ...findings,
      ...checkTargets(settings, server),
    ]
  } catch (error) {
    const known = openingFailure(error)
    if (known === null) throw error
    return [...before, failed('database', known.error.what, 'run the doctor again once it answers')]
  } finally {
    await deployment.close()
  }
}

const findingDocument = ({ check, state, message, fix }: Finding) => ({ check, state, says: message, fix })

function line({ check, state, message, fix }: Finding, style: Style): string {
  const mark = { ok: style.good('ok  '), warn: style.warn('warn'), fail: style.bad('fail') }[state]
  const head = `${mark}  ${check.padEnd(20)}  ${printable(message)}\n`
  return fix === null ? head : `${head}      ${' '.repeat(20)}  ${style.dim('fix:')} ${printable(fix)}\n`
}
