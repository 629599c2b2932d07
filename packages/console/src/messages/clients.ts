/** The words of the pages about clients. */
import type { WordTable } from './words.ts'

export const clients = {
  title: ['Clients', 'Clients'],
  text: [
    'Applications that may ask for tokens: web apps, single-page apps, native apps, devices, services and MCP servers.',
    'Anwendungen, die Tokens anfordern dürfen: Web-Apps, Single-Page-Apps, native Apps, Geräte, Dienste und MCP-Server.',
  ],
  search: ['Search by name or id', 'Nach Name oder ID suchen'],
  create: ['New client', 'Neuer Client'],
  none: ['No clients yet', 'Noch keine Clients'],
  noneText: [
    'A client is an application that asks for tokens. Say what you are building, and get snippets that run.',
    'Ein Client ist eine Anwendung, die Tokens anfordert. Sagen Sie, was Sie bauen, und erhalten Sie Beispiele, die laufen.',
  ],
  name: ['Name', 'Name'],
  kind: ['Kind', 'Art'],
  source: ['Source', 'Herkunft'],
  changed: ['Changed', 'Geändert'],
  disabled: ['Disabled', 'Deaktiviert'],
  sourceManual: ['Made here', 'Hier angelegt'],
  sourceDeclared: ['Declared', 'Deklariert'],
  sourceDynamic: ['Registered itself', 'Selbst registriert'],
  sourceDocument: ['Metadata document', 'Metadatendokument'],
} as const satisfies WordTable
