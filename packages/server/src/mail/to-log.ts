/** Mail of the demo, where no mail server is named: what would be sent is a line in the log, link and all. */
import type { Mail } from '@grantor/authority'
import type { Logger } from 'pino'
import type { MailStyle } from './messages/content.ts'
import { writeMail } from './messages/write.ts'

/** At `warn`, because that is what a person at a terminal sees. Never anywhere but in the demo: the link is a secret. */
export const mailToLog = (log: Pick<Logger, 'warn'>, style: MailStyle): Mail => ({
  send(letter) {
    const { subject } = writeMail(letter, style)
    const link = 'link' in letter.facts ? { link: letter.facts.link } : {}
    log.warn({ mail: letter.facts.kind, to: letter.to, subject, ...link }, 'mail of the demo; nothing is sent')
    return Promise.resolve({ did: 'sent' })
  },
})
