/** `grantor mail test` */
import { randomUUID } from 'node:crypto'
import { isMailAddress } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import { smtpFrom } from '@grantor/server'
import { argument, type Command } from '../../program/command.ts'
import { done, failure } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'

export const mailTest: Command = {
  name: 'test',
  description: 'send a mail with the settings as they are, and say what came of it',
  args: [{ form: '<address>', description: 'where to' }],
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { settings } = read.value
    const to = argument(context, 0)
    if (!isMailAddress(to)) return failure('invalid', `${to} is not a mail address`)
    // Silent, because the outcome is the command's answer.
    const smtp = smtpFrom({ ...settings, log: 'silent' })
    if (smtp === null) {
      return failure('invalid', 'no mail server is named', { fix: 'set GRANTOR_MAIL_SMTP and GRANTOR_MAIL_FROM' })
    }
    const issuer = settings.issuer ?? `https://localhost:${settings.port}`
    const letter = { id: randomUUID(), issuer, to, language: null, madeAt: Date.now() as Instant }
    const sent = await smtp.send({ ...letter, facts: { kind: 'test' } }, new AbortController().signal)
    if (sent.did !== 'sent') {
      return failure('failed', `the mail server did not take it: ${sent.why}`, { fix: 'run `grantor doctor`' })
    }
    await context.out.document({ sent: true, to }, `The mail server took a mail to ${to}.\n`)
    return done
  },
}
