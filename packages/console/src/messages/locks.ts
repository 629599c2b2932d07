/** The words of the page about locks. */
import type { WordTable } from './words.ts'

export const locks = {
  title: ['Locks', 'Sperren'],
  text: [
    'Who is shut out for a while, because somebody guessed too often.',
    'Wer eine Weile ausgesperrt ist, weil zu oft geraten wurde.',
  ],
  none: ['Nobody is locked out', 'Niemand ist ausgesperrt'],
  noneText: [
    'A lock appears when a limit of guessing is reached, and ends by itself.',
    'Eine Sperre erscheint, wenn eine Grenze fürs Raten erreicht ist, und endet von selbst.',
  ],
  kind: ['Kind', 'Art'],
  user: ['Person', 'Person'],
  client: ['Client', 'Client'],
  address: ['Address', 'Adresse'],
  tenant: ['All sign-ins', 'Alle Anmeldungen'],
  who: ['Who', 'Wer'],
  limit: ['Limit', 'Grenze'],
  ends: ['Ends', 'Endet'],
  unlock: ['Unlock', 'Entsperren'],
  unlockTitle: ['Unlock {name}?', '{name} entsperren?'],
  unlockText: [
    'The whole limit is theirs again. Whoever guessed can go on, too.',
    'Die ganze Grenze gilt wieder. Wer geraten hat, kann auch weitermachen.',
  ],
  unlocked: ['They may try again', 'Ein neuer Versuch ist möglich'],
} as const satisfies WordTable
