/** Mail of the demo, where no mail server is named: what would be sent is a line in the log, link and all. */
import type { Mail } from '@grantor/authority'
import type { Logger } from 'pino'
import { type MailLook, writeLetter } from './messages/write.ts'

/** At `warn`, because that is what a person at a terminal sees. Never anywhere but in the demo: the link is a secret. */
export const mailToLog = (log: Pick<Logger, 'warn'>, look: MailLook): Mail => ({
  send(letter) {
    const { subject } = writeLetter(letter, look)
    const link = 'link' in letter.facts ? { link: letter.facts.link } : {}
    log.warn({ mail: letter.facts.kind, to: letter.to, subject, ...link }, 'mail of the demo; nothing is sent')
    return Promise.resolve({ did: 'sent' })
  },
})
