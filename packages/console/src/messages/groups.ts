/** The words of the pages about groups and roles, and of where people, APIs and tokens meet them. */
import type { WordTable } from './words.ts'

export const groups = {
  title: ['Groups', 'Gruppen'],
  one: ['Group', 'Gruppe'],
  text: [
    'People who belong together. Whoever is in a group holds its roles.',
    'Personen, die zusammengehören. Wer in einer Gruppe ist, hat ihre Rollen.',
  ],
  create: ['New group', 'Neue Gruppe'],
  none: ['No groups yet', 'Noch keine Gruppen'],
  noneText: [
    'Put people into a group to give them roles together, and to take them away together.',
    'Fassen Sie Personen in einer Gruppe zusammen, um ihnen Rollen gemeinsam zu geben und zu nehmen.',
  ],
  search: ['Search by name', 'Nach Namen suchen'],
  name: ['Name', 'Name'],
  nameHint: [
    'May stand in tokens where an app is told of groups.',
    'Kann in Tokens stehen, wo eine Anwendung von Gruppen erfährt.',
  ],
  description: ['Description', 'Beschreibung'],
  externalId: ['External id', 'Externe Kennung'],
  externalIdHint: [
    'What a provisioning system calls it. Leave it empty where there is none.',
    'Wie ein Verzeichnis sie nennt. Leer lassen, wo es keines gibt.',
  ],
  rolesHint: [
    'Every member holds them, from now on and as long as they are in the group.',
    'Alle Mitglieder haben sie, ab jetzt und solange sie in der Gruppe sind.',
  ],
  changed: ['Changed', 'Geändert'],
  made: ['The group was made', 'Die Gruppe wurde angelegt'],
  tabSettings: ['Settings', 'Einstellungen'],
  tabMembers: ['Members', 'Mitglieder'],
  noMembers: ['Nobody is in this group', 'Niemand ist in dieser Gruppe'],
  noMembersText: [
    'Add people above, or let a directory do it by SCIM.',
    'Nehmen Sie oben Personen auf, oder überlassen Sie es einem Verzeichnis per SCIM.',
  ],
  addMembers: ['Add people', 'Personen aufnehmen'],
  addMembersHint: [
    'By the name they sign in with. They hold the roles of the group with their next token.',
    'Nach dem Namen, mit dem sie sich anmelden. Mit ihrem nächsten Token haben sie die Rollen der Gruppe.',
  ],
  add: ['Add', 'Aufnehmen'],
  added: ['Added to the group', 'In die Gruppe aufgenommen'],
  takeOut: ['Remove', 'Entfernen'],
  takeOutTitle: ['Remove {name} from {group}?', '{name} aus {group} entfernen?'],
  takeOutText: [
    'The roles of the group are lost, unless they are held in another way. Access tokens from before are dead at once.',
    'Die Rollen der Gruppe gehen verloren, wenn sie nicht auf anderem Weg bestehen. Bisherige Access-Tokens sind sofort tot.',
  ],
  takenOut: ['Removed from the group', 'Aus der Gruppe entfernt'],
  remove: ['Delete the group', 'Gruppe löschen'],
  removeTitle: ['Delete {name}?', '{name} löschen?'],
  removeText: [
    'Its people stay and lose the roles they had by it, at once. It cannot be undone.',
    'Ihre Mitglieder bleiben und verlieren sofort die Rollen, die sie durch sie hatten. Das lässt sich nicht rückgängig machen.',
  ],
  removed: ['The group was deleted', 'Die Gruppe wurde gelöscht'],
} as const satisfies WordTable

export const roles = {
  title: ['Roles', 'Rollen'],
  one: ['Role', 'Rolle'],
  text: [
    'A role is a bundle of scopes at one API, for people and groups. It makes nobody an administrator.',
    'Eine Rolle ist ein Bündel von Scopes einer API, für Personen und Gruppen. Sie macht niemanden zum Administrator.',
  ],
  create: ['New role', 'Neue Rolle'],
  none: ['No roles yet', 'Noch keine Rollen'],
  noneText: [
    'Roles count at APIs that are set to ask for them; elsewhere people may allow whatever an app may ask.',
    'Rollen zählen bei APIs, die danach fragen; anderswo dürfen Personen alles erlauben, worum eine Anwendung bitten darf.',
  ],
  search: ['Search by name', 'Nach Namen suchen'],
  name: ['Name', 'Name'],
  nameHint: [
    'Letters, digits and . _ : - without spaces. It never changes.',
    'Buchstaben, Ziffern und . _ : - ohne Leerzeichen. Er ändert sich nie.',
  ],
  description: ['Description', 'Beschreibung'],
  descriptionHint: ['What it is for.', 'Wofür sie da ist.'],
  resource: ['API', 'API'],
  resourceChoose: ['Choose an API', 'API wählen'],
  resourceAny: ['Any API', 'Jede API'],
  scopes: ['Scopes', 'Scopes'],
  scopesHint: [
    'What whoever holds the role may be allowed at the API.',
    'Was wer die Rolle hat an der API erlauben darf.',
  ],
  scopesNone: ['This API has no scopes yet.', 'Diese API hat noch keine Scopes.'],
  scopesFirst: ['Choose the API first.', 'Wählen Sie zuerst die API.'],
  made: ['The role was made', 'Die Rolle wurde angelegt'],
  tabSettings: ['Settings', 'Einstellungen'],
  tabGroups: ['Groups with it', 'Gruppen mit ihr'],
  tabPeople: ['People with it', 'Personen mit ihr'],
  noGroups: ['No group has this role', 'Keine Gruppe hat diese Rolle'],
  noGroupsText: [
    'Give it to a group on the page of the group: all its members hold it then.',
    'Geben Sie sie auf der Seite einer Gruppe: alle Mitglieder haben sie dann.',
  ],
  noPeople: ['Nobody was given this role themselves', 'Niemand hat diese Rolle selbst erhalten'],
  noPeopleText: [
    'Members of a group that has it hold it, too, and are listed with the group.',
    'Auch Mitglieder einer Gruppe mit ihr haben sie; sie stehen bei der Gruppe.',
  ],
  remove: ['Delete the role', 'Rolle löschen'],
  removeTitle: ['Delete {name}?', '{name} löschen?'],
  removeText: [
    'Whoever holds it loses it at once, and with it what no other role of theirs allows.',
    'Wer sie hat, verliert sie sofort, und damit, was keine andere Rolle erlaubt.',
  ],
  removed: ['The role was deleted', 'Die Rolle wurde gelöscht'],
  requireRoles: ['People get its scopes by roles only', 'Personen erhalten ihre Scopes nur durch Rollen'],
  requireRolesHint: [
    'A scope that no role of a person allows is left out of their tokens, whatever an app asks and they agree to. Apps that act for themselves are not concerned. It counts from the next token on.',
    'Ein Scope, den keine Rolle einer Person erlaubt, fehlt in ihren Tokens, worum eine Anwendung auch bittet und was sie auch erlaubt. Anwendungen, die für sich selbst handeln, betrifft es nicht. Es zählt ab dem nächsten Token.',
  ],
} as const satisfies WordTable

export const held = {
  title: ['Groups and roles', 'Gruppen und Rollen'],
  groups: ['Groups', 'Gruppen'],
  groupsText: [
    'Each brings its roles. Who leaves one loses them at once.',
    'Jede bringt ihre Rollen mit. Wer eine verlässt, verliert sie sofort.',
  ],
  noGroups: ['In no group', 'In keiner Gruppe'],
  noGroupsText: [
    'Add them to one, and they hold its roles.',
    'Nehmen Sie die Person in eine auf, und sie hat deren Rollen.',
  ],
  addTo: ['Add to groups', 'In Gruppen aufnehmen'],
  ownRoles: ['Roles of their own', 'Eigene Rollen'],
  ownRolesText: [
    'Given to this person alone. A role that is taken away is lost at once.',
    'Nur dieser Person gegeben. Eine entzogene Rolle ist sofort verloren.',
  ],
  byGroups: ['Roles by their groups', 'Rollen durch ihre Gruppen'],
  everything: ['Everything they hold', 'Alles, was sie hat'],
  noRoles: ['None', 'Keine'],
} as const satisfies WordTable
