/** Can mail be handed over? Connects and signs in as for a mail, and sends none. */
import { type Settings, smtpFrom } from '@grantor/server'
import { fail, type Finding, ok } from './finding.ts'

const check = 'mail'

export async function checkMail(settings: Settings): Promise<Finding> {
  const smtp = smtpFrom({ ...settings, log: 'silent' })
  if (smtp === null) return ok(check, 'no mail server is named; what needs mail is not offered')
  const { did, ...more } = await smtp.verify()
  if (did === 'sent') return ok(check, 'the mail server answers and takes our credentials')
  const why = 'why' in more ? more.why : ''
  return fail(check, `the mail server does not take us: ${why}`, 'check GRANTOR_MAIL_SMTP and GRANTOR_MAIL_CA')
}
