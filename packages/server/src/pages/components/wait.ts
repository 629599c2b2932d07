/** For how long a limit lets nobody try again: in words, and with script counted down. */
import { type Html, html } from '../html.ts'
import type { PageContext } from '../layout.ts'

/** `sentence` is the message around the time. */
export function wait(context: PageContext, seconds: number, sentence: (time: string) => string): Html {
  const [before = '', after = ''] = sentence(placeholder).split(placeholder)
  const whole = Math.max(1, Math.ceil(seconds))
  return html`${before}<span class="time" data-seconds="${whole}">${waitText(context, whole)}</span>${after}`
}

/** No message has it. */
const placeholder = '\u{1f}'

/** Rounded up to minutes: nobody counts seconds by themselves. */
const waitText = (context: PageContext, seconds: number): string =>
  context.language.formats.duration(Math.max(1, Math.ceil(seconds / 60)) * 60)
