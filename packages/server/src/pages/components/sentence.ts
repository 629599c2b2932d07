/** A message with markup in it, wherever the language puts it. */
import { type Html, html } from '../html.ts'

export function sentence(message: (value: string) => string, value: Html): Html {
  const [before = '', after = ''] = message(placeholder).split(placeholder)
  return html`${before}${value}${after}`
}

/** No message has it. */
const placeholder = '\u{1f}'
