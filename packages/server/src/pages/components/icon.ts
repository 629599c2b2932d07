/** Small icons, only decorative: their meaning is always given in words, too. */
import { type Html, dangerouslyTrustedMarkup } from '../html.ts'

const paths = {
  check: '<path d="m4.5 10.5 3.5 3.5 7.5-8"/>',
  alert: '<path d="M10 3 2.5 16.5h15z"/><path d="M10 8v4"/><path d="M10 14.4v.1"/>',
  shield: '<path d="M10 2.5 4 5v4.5c0 3.6 2.5 6.5 6 8 3.5-1.5 6-4.4 6-8V5z"/><path d="m7.3 9.8 2 2 3.5-3.8"/>',
  question:
    '<circle cx="10" cy="10" r="7.5"/><path d="M7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4"/><path d="M10 13.9v.1"/>',
  info: '<circle cx="10" cy="10" r="7.5"/><path d="M10 9.2v4.5"/><path d="M10 6.3v.1"/>',
  arrow: '<path d="M4 10h12"/><path d="m11.5 5.5 4.5 4.5-4.5 4.5"/>',
  passkey:
    '<circle cx="7" cy="6.500" r="3"/><path d="M2 16.500c0-3 2.200-4.800 5-4.800 1 0 1.900.2 2.700.6"/><circle cx="14.500" cy="9.500" r="2.500"/><path d="M14.500 12v5.500"/><path d="M14.500 15h1.800"/>',
  globe:
    '<circle cx="10" cy="10" r="7.5"/><path d="M2.5 10h15"/><path d="M10 2.5c2.200 2.200 3.200 4.700 3.200 7.500s-1 5.300-3.200 7.500c-2.200-2.200-3.200-4.700-3.200-7.500s1-5.300 3.200-7.500z"/>',
  plus: '<path d="M10 4v12M4 10h12"/>',
  // The kinds of providers: our own drawings, unlike their trade marks.
  oidc: '<path d="M8 3.500h7.500v13H8"/><path d="M3 10h8"/><path d="m8 7 3 3-3 3"/>',
  google: '<path d="M15.200 5.300A7 7 0 1 0 17 10h-6.500"/>',
  microsoft: '<path d="M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z"/>',
  apple:
    '<path d="M10 6.200c1-1 2.300-1.200 3.300-1 1.700.4 2.700 2 2.700 4.300 0 3.600-2.300 7.500-4.300 7.500-.7 0-1-.4-1.700-.4s-1 .4-1.700.4C6.300 17 4 13.100 4 9.500c0-2.300 1-3.900 2.700-4.300 1-.2 2.300 0 3.300 1z"/><path d="M10 5.500c0-1.700.8-3 2.300-3.500"/>',
  gitlab: '<path d="m10 17 7-6.500L14.800 3l-2.300 5.500h-5L5.200 3 3 10.500z"/>',
  github:
    '<circle cx="6" cy="4.500" r="2"/><circle cx="6" cy="15.500" r="2"/><circle cx="14" cy="7" r="2"/><path d="M6 6.500v7"/><path d="M14 9c0 3-4 3-7.500 4.700"/>',
} as const

export type IconName = keyof typeof paths

const drawn = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [
    name,
    // The markup is only from this file; nothing from outside reaches it.
    dangerouslyTrustedMarkup(
      `<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`,
    ),
  ]),
) as Record<IconName, Html>

export const icon = (name: IconName): Html => drawn[name]
