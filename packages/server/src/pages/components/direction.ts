/** Text that has a direction of its own, set apart from the words around it. */
import { type Html, html } from '../html.ts'

/** An address of the network or of mail. */
export const leftToRight = (text: string): Html => html`<bdi dir="ltr">${text}</bdi>`
