/** Mail of a demo without a mail server: each mail becomes a line in the log, with its link. */
import type { Mail } from '@grantor/authority'
import type { Logger } from 'pino'
import type { MailStyle } from './messages/content.ts'
import { writeMail } from './messages/write.ts'

/** At `warn`, so that a person at the terminal sees it. Only in the demo, because the link is a secret. */
export const mailToLog = (log: Pick<Logger, 'warn'>, style: MailStyle): Mail => ({
  send(letter) {
    const { subject } = writeMail(letter, style)
    const link = 'link' in letter.facts ? { link: letter.facts.link } : {}
    log.warn({ mail: letter.facts.kind, to: letter.to, subject, ...link }, 'mail of the demo; nothing is sent')
    return Promise.resolve({ did: 'sent' })
  },
})
