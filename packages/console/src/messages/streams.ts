/** The words of the pages about streams of shared signals. */
import type { WordTable } from './words.ts'

export const streams = {
  title: ['Shared signals', 'Gemeinsame Signale'],
  one: ['Stream', 'Datenstrom'],
  text: [
    'Which client is told when sessions end, credentials change or roles are lost.',
    'Welcher Client erfährt, wenn Sitzungen enden, Zugangsdaten sich ändern oder Rollen entfallen.',
  ],
  none: ['No client is told', 'Kein Client erfährt davon'],
  noneText: [
    'A client with the scope ssf.manage makes a stream for itself.',
    'Ein Client mit dem Scope ssf.manage legt sich einen Datenstrom an.',
  ],
  client: ['Client', 'Client'],
  delivery: ['Delivery', 'Zustellung'],
  push: ['Push', 'Push'],
  poll: ['Poll', 'Abruf'],
  events: ['Signals', 'Signale'],
  status: ['State', 'Zustand'],
  reason: ['Reason', 'Grund'],
  enabled: ['Enabled', 'Aktiv'],
  paused: ['Paused', 'Angehalten'],
  disabled: ['Disabled', 'Inaktiv'],
  failing: ['Fails', 'Scheitert'],
  held: ['Stopped by an administrator', 'Von der Administration angehalten'],
  made: ['Made', 'Angelegt'],
  stop: ['Stop', 'Anhalten'],
  stopTitle: ['Stop this stream', 'Diesen Datenstrom anhalten'],
  stopText: [
    'The client is told, and cannot let it go on by itself.',
    'Der Client erfährt davon und kann ihn nicht selbst fortsetzen.',
  ],
  meanwhile: ['What happens meanwhile', 'Was inzwischen geschieht'],
  isKept: ['is kept until it goes on', 'wird bis dahin aufbewahrt'],
  isLost: ['is never told', 'wird nie mitgeteilt'],
  reasonHint: ['The client is told this, too.', 'Auch dies erfährt der Client.'],
  enable: ['Let it go on', 'Fortsetzen'],
  changed: ['The stream was changed', 'Der Datenstrom wurde geändert'],
  remove: ['Delete', 'Löschen'],
  removeTitle: ['Delete this stream?', 'Diesen Datenstrom löschen?'],
  removeText: [
    'What waits for it is never told. The client can make another.',
    'Was auf ihn wartet, wird nie mitgeteilt. Der Client kann einen anderen anlegen.',
  ],
  removed: ['The stream was deleted', 'Der Datenstrom wurde gelöscht'],
} as const satisfies WordTable
