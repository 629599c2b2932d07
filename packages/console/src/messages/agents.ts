/** The words of the page about agents: how they connect, who may register, and with what. */
import type { WordTable } from './words.ts'

export const agents = {
  title: ['Agents and MCP', 'Agenten und MCP'],
  text: [
    'How agents find their way in: by a document that describes them, or by registering themselves. People are asked in any case.',
    'Wie Agenten hereinfinden: über ein Dokument, das sie beschreibt, oder indem sie sich selbst registrieren. Personen werden in jedem Fall gefragt.',
  ],
  tabConnect: ['Connect', 'Verbinden'],
  tabDocuments: ['Documents', 'Dokumente'],
  tabRegistered: ['Registered', 'Registriert'],
  tabTokens: ['Registration tokens', 'Registrierungs-Tokens'],
  tabPolicy: ['Policy', 'Regeln'],
  server: ['Your MCP server', 'Ihr MCP-Server'],
  serverText: [
    'Name its address: it is an API that this server issues tokens for. The lines below are made of it.',
    'Nennen Sie seine Adresse: Er ist eine API, für die dieser Server Tokens ausstellt. Daraus entstehen die Zeilen unten.',
  ],
  address: ['Address', 'Adresse'],
  addressHint: [
    'As its protected resource metadata has it: https://mcp.example.com/mcp',
    'Wie in seinen Protected-Resource-Metadaten: https://mcp.example.com/mcp',
  ],
  addressFault: ['This is no https address.', 'Das ist keine https-Adresse.'],
  name: ['Name in the agent', 'Name im Agenten'],
  inFile: ['In {file}', 'In {file}'],
  onCommandLine: ['At a command line', 'In einer Befehlszeile'],
  claudeSteps: [
    'Settings → Connectors → Add custom connector, then this address:',
    'Einstellungen → Konnektoren → Eigenen Konnektor hinzufügen, dann diese Adresse:',
  ],
  chatgptSteps: [
    'Settings → Apps and connectors → Create (developer mode), then this address:',
    'Einstellungen → Apps und Konnektoren → Erstellen (Entwicklermodus), dann diese Adresse:',
  ],
  documentsText: [
    'Clients whose id is the address of a document. Each is read at its first request and again when it is out of date.',
    'Clients, deren Kennung die Adresse eines Dokuments ist. Jedes wird bei der ersten Anfrage gelesen und wieder, wenn es veraltet ist.',
  ],
  noDocuments: ['No document was fetched yet', 'Noch kein Dokument wurde geholt'],
  noDocumentsText: [
    'It is, as soon as an agent such as Claude, ChatGPT or VS Code sends somebody here.',
    'Das geschieht, sobald ein Agent wie Claude, ChatGPT oder VS Code jemanden herschickt.',
  ],
  registeredText: [
    'Clients that registered themselves at /register. One that nobody ever used goes by itself, as the policy says.',
    'Clients, die sich selbst an /register registriert haben. Ein nie benutzter verschwindet von selbst, wie es die Regeln sagen.',
  ],
  noRegistered: ['No client has registered itself', 'Kein Client hat sich selbst registriert'],
  noRegisteredText: [
    'Agents that know no metadata documents do so with their first connection.',
    'Agenten, die keine Metadaten-Dokumente kennen, tun das bei der ersten Verbindung.',
  ],
  client: ['Client', 'Client'],
  firstSeen: ['First seen', 'Zuerst gesehen'],
  read: ['Last changed', 'Zuletzt geändert'],
  redirects: ['Leads back to', 'Führt zurück zu'],
  tokensText: [
    'With one, a program registers clients where the policy asks for it, and somebody vouches for them.',
    'Damit registriert ein Programm Clients, wo die Regeln es verlangen, und jemand bürgt für sie.',
  ],
  noTokens: ['No registration tokens', 'Keine Registrierungs-Tokens'],
  noTokensText: [
    'Make one for whoever may register clients here without being an administrator.',
    'Legen Sie eines an für alle, die hier Clients registrieren dürfen, ohne zu verwalten.',
  ],
  newToken: ['New token', 'Neues Token'],
  token: ['The registration token', 'Das Registrierungs-Token'],
  tokenOnce: [
    'Copy it now: it is not kept and cannot be shown again.',
    'Jetzt kopieren: Es wird nicht aufbewahrt und kann nicht noch einmal gezeigt werden.',
  ],
  tokenUse: ['Registering with it', 'Damit registrieren'],
  tokenId: ['Id', 'Kennung'],
  uses: ['Clients left', 'Verbleibende Clients'],
  usesField: ['For how many clients', 'Für wie viele Clients'],
  usesHint: ['Empty: any number.', 'Leer: beliebig viele.'],
  anyNumber: ['Any number', 'Beliebig viele'],
  days: ['Ends in days', 'Endet in Tagen'],
  daysHint: ['Empty: never.', 'Leer: nie.'],
  made: ['Made', 'Angelegt'],
  ends: ['Ends', 'Endet'],
  revoke: ['Revoke', 'Entziehen'],
  revokeTitle: ['Revoke this registration token?', 'Dieses Registrierungs-Token entziehen?'],
  revokeText: [
    'Nobody registers with it any more. Clients that did so stay.',
    'Niemand registriert sich mehr damit. Clients, die es taten, bleiben.',
  ],
  revoked: ['The registration token was revoked', 'Das Registrierungs-Token wurde entzogen'],
} as const satisfies WordTable
