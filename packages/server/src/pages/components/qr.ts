/** A QR code as a drawing: dark on white in every colour scheme, because cameras want it so. */
import { encode } from 'uqr'
import { type Html, dangerouslyTrustedMarkup } from '../html.ts'

/** `label` is for screen readers; the page also has the content as text. */
export function qrCode(text: string, label: Html): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
  // The markup contains only numbers and an escaped label, not the text itself.
  return dangerouslyTrustedMarkup(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" width="220" height="220" role="img" aria-label="${label.text}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`,
  )
}
