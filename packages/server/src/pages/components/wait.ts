/** The time until a limit allows another try: in words, and with script counted down. */
import { type Html, html } from '../html.ts'
import type { PageContext } from '../layout.ts'
import { sentence } from './sentence.ts'

/** `message` is the sentence around the time. */
export function wait(context: PageContext, seconds: number, message: (time: string) => string): Html {
  const whole = Math.max(1, Math.ceil(seconds))
  return sentence(message, html`<span class="time" data-seconds="${whole}">${waitText(context, whole)}</span>`)
}

/** Rounded up to minutes, which suffices without the countdown. */
const waitText = (context: PageContext, seconds: number): string =>
  context.language.formats.duration(Math.max(1, Math.ceil(seconds / 60)) * 60)
