/** The words of the pages about other identity providers. */
import type { WordTable } from './words.ts'

export const providers = {
  title: ['Providers', 'Anbieter'],
  one: ['Provider', 'Anbieter'],
  text: [
    'Others that people may sign in by: each has a button on the sign-in page, but for directories, whose passwords are typed there.',
    'Andere, über die sich Personen anmelden können: Jeder hat einen Knopf auf der Anmeldeseite, außer Verzeichnissen, deren Passwörter dort eingegeben werden.',
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
  kindLdap: ['Any LDAP directory', 'Beliebiges LDAP-Verzeichnis'],
  hosts: ['Servers', 'Server'],
  hostsHint: [
    'ldaps://host, or ldap://host for StartTLS. Tried in this order.',
    'ldaps://Name, oder ldap://Name für StartTLS. In dieser Reihenfolge versucht.',
  ],
  addHost: ['Add a server', 'Server hinzufügen'],
  ca: ['Certificate authorities (PEM)', 'Zertifizierungsstellen (PEM)'],
  caHint: [
    'Who signs the certificates of the servers. Left empty, those that this server knows.',
    'Wer die Zertifikate der Server unterschreibt. Leer: die, die dieser Server kennt.',
  ],
  baseDn: ['Base DN', 'Basis-DN'],
  baseDnHint: ['Below which people are looked for.', 'Worunter Personen gesucht werden.'],
  bindDn: ['DN of the searching account', 'DN des suchenden Kontos'],
  bindDnHint: ['Reads people, and nothing more.', 'Liest Personen, und sonst nichts.'],
  bindPassword: ['Its password', 'Sein Passwort'],
  filter: ['Filter', 'Filter'],
  filterHint: [
    '{username} is what was typed. Left empty, the usual one of the kind.',
    '{username} ist die Eingabe. Leer: der übliche der Art.',
  ],
  domainsOfDirectory: [
    'Only addresses of these are asked about. Left empty, every name that nobody has here.',
    'Nur nach Adressen davon wird gefragt. Leer: nach jedem Namen, den hier niemand hat.',
  ],
  trustEmailOfDirectory: [
    'Its addresses count as verified and link accounts. Whoever runs it can then sign in as anybody here.',
    'Seine Adressen gelten als bestätigt und verknüpfen Konten. Wer es betreibt, kann sich dann hier als jede Person anmelden.',
  ],
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
