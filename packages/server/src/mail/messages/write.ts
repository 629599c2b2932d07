/** Writes a mail: from facts and a style to subject, text and HTML. The HTML loads nothing. */
import type { MailMessage } from '@grantor/authority'
import { brandedStyle, type MailContent, mailContent, type MailStyle } from './content.ts'
import { mailHtml } from './html.ts'

export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export function writeMail(message: MailMessage, deployment: MailStyle): WrittenMail {
  const style = brandedStyle(deployment, message.tenant)
  const content = mailContent(message, style)
  return { subject: content.subject, text: mailText(content), html: mailHtml(content, style) }
}

function mailText({ messages, text, names, facts, link, accountHref, footer }: MailContent): string {
  const blocks = [
    text.title,
    text.lead(names),
    ...(link === null ? [] : [`${messages.labelled(text.button ?? '', '').trimEnd()}\n${link}`, text.linkNote ?? '']),
    facts.map(([term, value]) => messages.labelled(term, value)).join('\n'),
    text.notYou,
    ...(accountHref === null ? [] : [messages.labelled(messages.yourAccount, accountHref)]),
    `-- \n${footer}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
