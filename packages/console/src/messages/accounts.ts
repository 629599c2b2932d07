/** The words of the page about how people come to have accounts: invitations, sign-up, provisioning. */
import type { WordTable } from './words.ts'

export const accounts = {
  title: ['Sign-up and invitations', 'Registrierung und Einladungen'],
  text: ['How people come to have accounts here.', 'Wie Personen hier zu Konten kommen.'],
  tabInvitations: ['Invitations', 'Einladungen'],
  tabSignUp: ['Sign-up', 'Registrierung'],
  tabProvisioning: ['Provisioning (SCIM)', 'Provisionierung (SCIM)'],
} as const satisfies WordTable

export const invitations = {
  invite: ['Invite somebody', 'Jemanden einladen'],
  text: [
    'Invitations that nobody has used yet. Each works once, and only for its address.',
    'Einladungen, die noch niemand genutzt hat. Jede gilt einmal und nur für ihre Adresse.',
  ],
  none: ['No invitation is waiting', 'Keine Einladung wartet'],
  noneText: [
    'Invite an address by mail, or hand over a link. Whoever shows it makes the account of that address.',
    'Laden Sie eine Adresse per Mail ein oder geben Sie einen Link weiter. Wer ihn zeigt, legt das Konto dieser Adresse an.',
  ],
  email: ['Address', 'Adresse'],
  name: ['Name', 'Name'],
  nameHint: ['A suggestion; they may change it.', 'Ein Vorschlag; er lässt sich ändern.'],
  byLink: ['Send nothing, and show me the link', 'Nichts senden, sondern den Link zeigen'],
  byLinkHint: [
    'You hand it over yourself. The address does not count as confirmed then.',
    'Sie geben ihn selbst weiter. Die Adresse gilt dann nicht als bestätigt.',
  ],
  life: ['It can be used for', 'Nutzbar für'],
  lifeDay: ['One day', 'Einen Tag'],
  lifeWeek: ['7 days', '7 Tage'],
  lifeMonth: ['30 days', '30 Tage'],
  groups: ['Groups', 'Gruppen'],
  roles: ['Roles', 'Rollen'],
  presetHint: [
    'From the beginning. What is deleted before they accept is left out.',
    'Von Anfang an. Was vor der Annahme gelöscht wird, entfällt.',
  ],
  begins: ['Begins with', 'Beginnt mit'],
  send: ['Invite', 'Einladen'],
  sent: ['The invitation is on its way', 'Die Einladung ist unterwegs'],
  link: ['The invitation link', 'Der Einladungslink'],
  linkOnce: [
    'It is shown this once. Whoever has it can make the account: hand it to the right person.',
    'Er wird nur dieses Mal gezeigt. Wer ihn hat, kann das Konto anlegen: geben Sie ihn der richtigen Person.',
  ],
  made: ['Invited', 'Eingeladen'],
  ends: ['Ends', 'Endet'],
  revoke: ['Revoke', 'Zurücknehmen'],
  revokeTitle: ['Revoke the invitation of {email}?', 'Einladung von {email} zurücknehmen?'],
  revokeText: ['Its link is worth nothing from then on.', 'Ihr Link ist dann nichts mehr wert.'],
  revoked: ['The invitation was revoked', 'Die Einladung wurde zurückgenommen'],
} as const satisfies WordTable

export const signUp = {
  text: [
    'Whether people make accounts themselves, how they may sign in, and the terms that everybody agrees to.',
    'Ob Personen selbst Konten anlegen, wie sie sich anmelden dürfen, und die Bedingungen, denen alle zustimmen.',
  ],
  on: ['People may sign up', 'Personen dürfen sich registrieren'],
  onHint: [
    'The sign-in page links to a page that asks for an address and mails a link to it. It needs a mail server.',
    'Die Anmeldeseite führt zu einer Seite, die nach einer Adresse fragt und einen Link dorthin sendet. Dafür ist ein Mailserver nötig.',
  ],
  domains: ['Only addresses of these domains', 'Nur Adressen dieser Domains'],
  domainsHint: [
    'Empty: any address. A subdomain is another domain.',
    'Leer: jede Adresse. Eine Subdomain ist eine andere Domain.',
  ],
  addDomain: ['Add a domain', 'Domain hinzufügen'],
  links: ['People may sign in by a mailed link', 'Personen dürfen sich mit einem Link per E-Mail anmelden'],
  linksHint: [
    'The link works once, for ten minutes, in the browser that asked for it; a second factor is asked for as always. It needs a mail server.',
    'Der Link gilt einmal, zehn Minuten lang, in dem Browser, der ihn angefordert hat; ein zweiter Faktor wird verlangt wie immer. Dafür ist ein Mailserver nötig.',
  ],
  termsVersion: ['Version of the terms', 'Fassung der Bedingungen'],
  termsVersionHint: [
    'Another version asks everybody anew, at their next sign-in or visit.',
    'Eine andere Fassung fragt alle neu, bei der nächsten Anmeldung oder dem nächsten Besuch.',
  ],
  termsUrl: ['Where they are read', 'Wo sie zu lesen sind'],
  termsUrlHint: [
    'Leave both empty where there are no terms.',
    'Lassen Sie beides leer, wenn es keine Bedingungen gibt.',
  ],
} as const satisfies WordTable

export const provisioning = {
  text: [
    'A directory makes, changes and takes away people and groups here by itself (RFC 7644).',
    'Ein Verzeichnis legt Personen und Gruppen hier selbst an, ändert und entfernt sie (RFC 7644).',
  ],
  address: ['Addresses', 'Adressen'],
  baseUrl: ['Base URL', 'Basis-URL'],
  tokenEndpoint: ['Token endpoint', 'Token-Endpunkt'],
  scopes: ['Scopes', 'Scopes'],
  credential: ['A credential for the directory', 'Zugangsdaten für das Verzeichnis'],
  credentialText: [
    'A client of its own with client credentials. Where the directory takes only one lasting token, make an API key of that client for this issuer.',
    'Ein eigener Client mit Client Credentials. Nimmt das Verzeichnis nur ein dauerhaftes Token, legen Sie zu diesem Client einen API-Schlüssel für diesen Aussteller an.',
  ],
  client: ['Client with a secret', 'Client mit Geheimnis'],
  apiKey: ['API key for a year', 'API-Schlüssel für ein Jahr'],
  newClient: ['New client', 'Neuer Client'],
  apiKeys: ['API keys', 'API-Schlüssel'],
  clients: ['Clients that may provision', 'Clients, die provisionieren dürfen'],
  clientsText: [
    'By their scopes, and when each was last used.',
    'Nach ihren Scopes, und wann jeder zuletzt genutzt wurde.',
  ],
  noClients: ['No client may provision yet', 'Noch darf kein Client provisionieren'],
  name: ['Name', 'Name'],
  used: ['Last used', 'Zuletzt genutzt'],
} as const satisfies WordTable
