/** Makes names and addresses that others chose safe to show next to our own text. */

/** Controls, and the marks that reverse or hide text: a client called "elgooG" with an override would read as another. */
const hiding = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu
const longest = 80
/** Letters as people count them: an emoji or an accented letter is never cut in two. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function shownName(name: string): string {
  const clean = name.replace(hiding, ' ').replace(/\s+/g, ' ').trim()
  if (clean.length <= longest) return clean
  const kept = [...letters.segment(clean.slice(0, longest * 8))].slice(0, longest - 1)
  return `${kept.map((part) => part.segment).join('')}…`
}

/** The part of a URL to show to people: its host, or the scheme of an app. */
export function hostOrScheme(address: string): string {
  const url = URL.parse(address)
  if (url === null) return ''
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol
}
