/** Small line drawings, for the eye only: what they say is always said in words beside them. */
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
} as const

export type IconName = keyof typeof paths

const drawn = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [
    name,
    // The text is this file's own; nothing from outside can reach it.
    dangerouslyTrustedMarkup(
      `<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`,
    ),
  ]),
) as Record<IconName, Html>

export const icon = (name: IconName): Html => drawn[name]
