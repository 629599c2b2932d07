/** A message with markup at the place where the language puts the value. */
import { type Html, html } from '../html.ts'

export function sentence(message: (value: string) => string, value: Html): Html {
  const [before = '', after = ''] = message(placeholder).split(placeholder)
  return html`${before}${value}${after}`
}

/** A character that no message contains. */
const placeholder = '\u{1f}'
