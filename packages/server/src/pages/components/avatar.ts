/** A tile that stands for a person or a client: a picture from our own origin, or the first letter of the name. */
import { type Html, html } from '../html.ts'

/** `picture` is a URL on our own origin: the policy allows no other, so that no other site learns of the visit. */
export function avatar(name: string, picture: string | null = null, size: 'small' | 'large' = 'small'): Html {
  if (picture !== null) return html`<img class="avatar picture ${size}" src="${picture}" alt="" />`
  const letter = String.fromCodePoint(name.trim().codePointAt(0) ?? 0x3f).toLocaleUpperCase()
  return html`<span class="avatar ${size} tint-${tintOf(name)}" aria-hidden="true">${letter}</span>`
}

/** The same name always has the same tint; style.css has six. */
function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % 6
}
