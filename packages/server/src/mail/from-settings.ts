/** The mail transport of the settings: a mail server, the log in a demo, or none. */
import type { Mail } from '@grantor/authority'
import type { Settings } from '../config/settings.ts'
import { openLog } from '../log.ts'
import { mailStyleFrom } from './messages/content.ts'
import { authoritiesAt, openAuthorityFile, tellKept } from '../tls/authority-file.ts'
import { parseSender, parseSmtpServer } from './server-address.ts'
import { type Smtp, smtpMail } from './smtp.ts'
import { mailToLog } from './to-log.ts'

export function mailFrom(settings: Settings): Mail | null {
  const smtp = smtpFrom(settings)
  if (smtp !== null || !settings.demo) return smtp
  return mailToLog(openLog(settings), mailStyleFrom(settings))
}

/** Null where the settings name no mail server. */
export function smtpFrom(settings: Settings): Smtp | null {
  const server = settings.mailSmtp === null ? null : parseSmtpServer(settings.mailSmtp)
  const from = settings.mailFrom === null ? null : parseSender(settings.mailFrom)
  // Both were checked when the settings were loaded (conflicts.ts).
  if (server === null || typeof server === 'string' || from === null) return null
  const log = openLog(settings)
  const failed = tellKept(log, 'mail.ca')
  return smtpMail({
    server,
    from,
    ca: settings.mailCa === null ? () => null : openAuthorityFile({ path: settings.mailCa, read: caAt, failed }),
    style: mailStyleFrom(settings),
    failed: (why) => log.warn({ why }, 'a mail could not be handed over'),
  })
}

const caAt = (path: string): string => authoritiesAt(path, 'GRANTOR_MAIL_CA').join('')
