/** `grantor mail test` */
import { randomUUID } from 'node:crypto'
import { isMailAddress } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import { smtpFrom } from '@grantor/server'
import { done, failure } from '../../program/exit.ts'
import { settle } from '../../program/settings.ts'
import { arg, type Verb } from '../../program/command.ts'

export const mailTest: Verb = {
  name: 'test',
  says: 'send a mail with the settings as they are, and say what came of it',
  args: [{ form: '<address>', says: 'where to' }],
  run: async (call) => {
    const read = settle(call)
    if (!read.ok) return read.failure
    const { settings } = read.settled
    const to = arg(call, 0)
    if (!isMailAddress(to)) return failure('invalid', `${to} is not a mail address`)
    // Its own word is the answer; a line in the log beside it says no more.
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
    await call.out.document({ sent: true, to }, `The mail server took a mail to ${to}.\n`)
    return done
  },
}
