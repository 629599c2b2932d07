/** A QR code as a drawing: dark on white in every colour scheme, because cameras want it so. */
import { encode } from 'uqr'
import { type Html, dangerouslyTrustedMarkup } from '../html.ts'

/** `label` is for those who cannot see it; the page holds the same in words. */
export function qrCode(text: string, label: Html): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
  // Numbers and an escaped label: nothing of the text itself is in the markup.
  return dangerouslyTrustedMarkup(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" width="220" height="220" role="img" aria-label="${label.text}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`,
  )
}
