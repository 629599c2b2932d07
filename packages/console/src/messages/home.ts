/** The words of the start page. */
import type { WordTable } from './words.ts'

export const home = {
  title: ['Home', 'Start'],
  text: ['The last 24 hours of {issuer}', 'Die letzten 24 Stunden von {issuer}'],
  start: ['Get going', 'Erste Schritte'],
  startText: ['Until the first client works.', 'Bis der erste Client läuft.'],
  stepClient: ['Make a client', 'Einen Client anlegen'],
  stepClientText: [
    'Say what you are building; the wizard prints lines that run.',
    'Sagen Sie, was Sie bauen; der Assistent zeigt Beispiele, die laufen.',
  ],
  stepToken: ['Get the first token', 'Das erste Token holen'],
  stepTokenText: [
    'Run the lines of the client. The token shows up here.',
    'Führen Sie die Beispiele des Clients aus. Das Token erscheint hier.',
  ],
  stepPerson: ['Add a person', 'Eine Person anlegen'],
  stepPersonText: ['Somebody beside you who can sign in.', 'Jemand neben Ihnen, der sich anmelden kann.'],
  attention: ['Wants attention', 'Braucht Aufmerksamkeit'],
  quiet: ['Nothing needs you right now', 'Gerade ist nichts zu tun'],
  quietText: [
    'What fails often, or is about to end, is named here with a way to mend it.',
    'Was oft scheitert oder bald endet, steht hier, mit einem Weg zur Abhilfe.',
  ],
  manyFailures: ['{n} sign-ins failed in 24 hours', '{n} Anmeldungen sind in 24 Stunden gescheitert'],
  manyFailuresText: [
    'More than succeeded. Somebody may be guessing.',
    'Mehr als gelungen sind. Vielleicht rät jemand.',
  ],
  replayed: ['{n} codes or refresh tokens came twice', '{n} Codes oder Refresh-Tokens kamen zweimal'],
  replayedText: [
    'Either a client retries carelessly, or something was stolen. Their grants were ended.',
    'Entweder wiederholt ein Client achtlos, oder etwas wurde gestohlen. Die Berechtigungen wurden beendet.',
  ],
  manyRefusals: ['{n} requests of clients were refused', '{n} Anfragen von Clients wurden abgewiesen'],
  manyRefusalsText: ['Most often: {reason}.', 'Am häufigsten: {reason}.'],
  look: ['Look', 'Ansehen'],
  tokens: ['Tokens', 'Tokens'],
  people: ['People', 'Personen'],
  issued: ['Issued', 'Ausgestellt'],
  refreshed: ['Refreshed', 'Erneuert'],
  refused: ['Refused', 'Abgewiesen'],
  signedIn: ['Signed in', 'Angemeldet'],
  signInFailed: ['Failed', 'Gescheitert'],
  signedOut: ['Signed out', 'Abgemeldet'],
  revoked: ['Revoked', 'Entzogen'],
  refusals: ['Why requests were refused', 'Warum Anfragen abgewiesen wurden'],
  reason: ['Reason', 'Grund'],
  count: ['Times', 'Anzahl'],
} as const satisfies WordTable
