/** Can mail be sent? Connects and signs in as for a mail, without sending one. */
import { type Settings, smtpFrom, failed, type Finding, passed } from '@grantor/server'

const check = 'mail'

export async function checkMail(settings: Settings): Promise<Finding> {
  const smtp = smtpFrom({ ...settings, log: 'silent' })
  if (smtp === null) return passed(check, 'no mail server is named; what needs mail is not offered')
  const { did, ...more } = await smtp.verify()
  if (did === 'sent') return passed(check, 'the mail server answers and takes our credentials')
  const why = 'why' in more ? more.why : ''
  return failed(check, `the mail server does not take us: ${why}`, 'check GRANTOR_MAIL_SMTP and GRANTOR_MAIL_CA')
}
