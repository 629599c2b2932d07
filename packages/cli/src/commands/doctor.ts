/** `grantor doctor` */
import type { Settings } from '@grantor/server'
import { checkCertificate } from '../doctor/certificate.ts'
import { checkDataFolder } from '../doctor/data-folder.ts'
import { checkDatabase, openIfThere } from '../doctor/database.ts'
import { fail, type Finding, ok, warn } from '../doctor/finding.ts'
import { checkIssuer } from '../doctor/issuer.ts'
import { checkMail } from '../doctor/mail.ts'
import { checkPorts } from '../doctor/ports.ts'
import { checkRuntime } from '../doctor/runtime.ts'
import { done, failure } from '../program/exit.ts'
import { troubleOf } from '../program/deployment.ts'
import { printable } from '../output/printable.ts'
import type { Style } from '../output/style.ts'
import { settle } from '../program/settings.ts'
import type { Verb } from '../program/command.ts'

export const doctor: Verb = {
  name: 'doctor',
  says: 'look at everything the server needs, and say what to do about what is wrong',
  run: async (call) => {
    const read = settle(call)
    const findings = [
      checkRuntime(),
      ...(read.ok
        ? [
            ...read.settled.warnings.map((text) => warn('settings', text, 'leave it out')),
            ok('settings', 'hold together'),
            ...(await examine(read.settled.settings)),
          ]
        : read.failure.where.map((problem) => fail('settings', problem, read.failure.fix ?? ''))),
    ]
    const failed = findings.filter(({ state }) => state === 'fail').length
    await call.out.document(
      { ok: failed === 0, findings },
      findings.map((finding) => line(finding, call.out.style)).join(''),
    )
    return failed === 0 ? done : failure('failed', failed === 1 ? 'one check failed' : `${failed} checks failed`)
  },
}

async function examine(settings: Settings): Promise<readonly Finding[]> {
  const house = await openIfThere(settings)
  const issuer = settings.issuer ?? `https://localhost:${settings.port}`
  const before = [
    ...(await checkDataFolder(settings)),
    await checkCertificate(settings, issuer, Date.now()),
    await checkMail(settings),
  ]
  if ('check' in house) return [...before, house, ...(await checkPorts(settings, false))]
  try {
    const { findings, answered } = await checkIssuer(house, Date.now)
    return [
      ...before,
      ...(await checkDatabase(house, Date.now)),
      ...(await checkPorts(settings, answered)),
      ...findings,
    ]
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble === null) throw error
    return [...before, fail('database', trouble.what, 'run the doctor again once it answers')]
  } finally {
    await house.close()
  }
}

function line({ check, state, says, fix }: Finding, style: Style): string {
  const mark = { ok: style.good('ok  '), warn: style.warn('warn'), fail: style.bad('fail') }[state]
  const head = `${mark}  ${check.padEnd(20)}  ${printable(says)}\n`
  return fix === null ? head : `${head}      ${' '.repeat(20)}  ${style.dim('fix:')} ${printable(fix)}\n`
}
