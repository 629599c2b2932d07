/** The words of the pages about other identity providers. */
import type { WordTable } from './words.ts'

export const providers = {
  title: ['Providers', 'Anbieter'],
  one: ['Provider', 'Anbieter'],
  text: [
    'Others that people may sign in by: each has a button on the sign-in page.',
    'Andere, über die sich Personen anmelden können: Jeder hat einen Knopf auf der Anmeldeseite.',
  ],
  create: ['New provider', 'Neuer Anbieter'],
  made: ['The provider is there', 'Der Anbieter ist da'],
  none: ['No providers yet', 'Noch keine Anbieter'],
  noneText: [
    'Let people sign in with accounts that they have elsewhere.',
    'Lassen Sie Personen sich mit Konten anmelden, die sie anderswo haben.',
  ],
  id: ['Id', 'Kennung'],
  idHint: [
    'Part of the return address: /callback/{id}. Never changes.',
    'Teil der Rückkehradresse: /callback/{id}. Ändert sich nie.',
  ],
  kind: ['Kind', 'Art'],
  kindPlain: ['Any OpenID Connect issuer', 'Beliebiger OpenID-Connect-Aussteller'],
  name: ['Name on the button', 'Name auf dem Knopf'],
  nameHint: ['Left empty, the name of the kind.', 'Leer: der Name der Art.'],
  issuer: ['Issuer', 'Aussteller'],
  issuerHint: ['Left empty, that of the kind.', 'Leer: der der Art.'],
  clientId: ['Client id', 'Client-ID'],
  clientIdHint: ['As you registered there.', 'Wie Sie dort registriert sind.'],
  secret: ['Client secret', 'Client-Geheimnis'],
  secretHint: [
    'Kept sealed and never shown. Left empty, the one that is there stays.',
    'Wird versiegelt aufbewahrt und nie gezeigt. Leer: das vorhandene bleibt.',
  ],
  teamId: ['Team id', 'Team-ID'],
  keyId: ['Key id', 'Schlüssel-ID'],
  domains: ['Mail domains', 'Mail-Domains'],
  domainsHint: [
    'Whoever types an address of these is sent there.',
    'Wer eine Adresse davon eingibt, wird dorthin geschickt.',
  ],
  addDomain: ['Add a domain', 'Domain hinzufügen'],
  createAccounts: ['Make accounts for newcomers', 'Konten für Neue anlegen'],
  createAccountsHint: [
    'Without it only people who are linked come in.',
    'Sonst kommen nur Personen herein, die verknüpft sind.',
  ],
  trustEmail: ['Believe its verified addresses', 'Seinen bestätigten Adressen glauben'],
  trustEmailHint: [
    'An address that it calls verified links accounts. Whoever runs it can then sign in as anybody here.',
    'Eine Adresse, die er bestätigt nennt, verknüpft Konten. Wer ihn betreibt, kann sich dann hier als jede Person anmelden.',
  ],
  trustAmr: ['Believe its second factors', 'Seinen zweiten Faktoren glauben'],
  trustAmrHint: [
    'Whoever showed two factors there is not asked for another here.',
    'Wer dort zwei Faktoren gezeigt hat, wird hier nicht nach einem weiteren gefragt.',
  ],
  disabled: ['Disabled', 'Abgeschaltet'],
  disabledHint: ['Nobody signs in by it.', 'Niemand meldet sich darüber an.'],
  remove: ['Delete the provider', 'Anbieter löschen'],
  removed: ['The provider is gone', 'Der Anbieter ist weg'],
  removeTitle: ['Delete {name}?', '{name} löschen?'],
  removeText: [
    'Nobody signs in by it any more. Links of people stay and count again if the same is made anew.',
    'Niemand meldet sich mehr darüber an. Verknüpfungen bleiben und gelten wieder, wenn derselbe neu angelegt wird.',
  ],
} as const satisfies WordTable
