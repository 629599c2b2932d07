/** What became of a revocation, in words. */
import type { WordTable } from './words.ts'

export const receipts = {
  title: ['Revocations', 'Widerrufe'],
  tabEvents: ['Events', 'Ereignisse'],
  what: ['Event', 'Ereignis'],
  receipt: ['Receipt', 'Quittung'],
  none: ['Nothing was revoked yet', 'Noch wurde nichts widerrufen'],
  noneText: [
    'Whatever ends a grant, a session, a token or an account appears here, with who has stopped it.',
    'Was eine Berechtigung, eine Sitzung, ein Token oder ein Konto beendet, erscheint hier, samt Bestätigungen.',
  ],
  asking: ['Telling the APIs …', 'Die APIs werden benachrichtigt …'],
  nobody: [
    'No API listens to revocations; those that ask this server refuse it from now on.',
    'Keine API verfolgt Widerrufe; wer diesen Server fragt, weist es ab sofort ab.',
  ],
  gone: ['Receipts are kept for a day', 'Quittungen werden einen Tag lang aufbewahrt'],
  stopped: ['{n} of {all} validators stopped it', 'Gestoppt bei {n} von {all} Prüfstellen'],
  stoppedOne: ['{n} of {all} validator stopped it', 'Gestoppt bei {n} von {all} Prüfstelle'],
  slowest: [', the slowest after {span}', ', zuletzt nach {span}'],
  unreachable: [
    '{n} unreachable, closed by their own bound at {time}',
    '{n} nicht erreichbar, seit {time} nach eigener Frist geschlossen',
  ],
  waiting: [
    '{n} not heard from yet, closed by their own bound at {time} at the latest',
    '{n} noch ohne Antwort, spätestens um {time} nach eigener Frist geschlossen',
  ],
  mute: ['{n} of these without any acknowledgements', '{n} davon ganz ohne Bestätigungen'],
} as const satisfies WordTable
