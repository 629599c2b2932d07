/** The words of the pages about APIs, their scopes, and what people read of them. */
import type { WordTable } from './words.ts'

export const apis = {
  title: ['APIs and scopes', 'APIs und Scopes'],
  one: ['API', 'API'],
  text: [
    'What tokens are issued for, and what they may allow there.',
    'Wofür Tokens ausgestellt werden, und was sie dort erlauben dürfen.',
  ],
  tabApis: ['APIs', 'APIs'],
  tabScopes: ['Scopes', 'Scopes'],
  tabConsent: ['What people read', 'Was Personen lesen'],
  tabSettings: ['Settings', 'Einstellungen'],
  tabTest: ['Test a token', 'Token prüfen'],
  create: ['New API', 'Neue API'],
  none: ['No APIs yet', 'Noch keine APIs'],
  noneText: [
    'An API is what accepts tokens. Name the first one, then say what may be allowed there.',
    'Eine API nimmt Tokens an. Nennen Sie die erste, und sagen Sie dann, was dort erlaubt werden darf.',
  ],
  name: ['Name', 'Name'],
  nameHint: ['What people see.', 'Was Personen sehen.'],
  identifier: ['Identifier', 'Kennung'],
  identifierHint: [
    'A URI, usually its address. It is the audience of its tokens, and never changes.',
    'Eine URI, meist ihre Adresse. Sie ist die Zielgruppe (aud) ihrer Tokens und ändert sich nie.',
  ],
  format: ['Tokens', 'Tokens'],
  formatJwt: ['JWT: the API reads them itself', 'JWT: die API liest sie selbst'],
  formatOpaque: ['Opaque: the API asks here', 'Undurchsichtig: die API fragt hier nach'],
  formatShortJwt: ['JWT', 'JWT'],
  formatShortOpaque: ['Opaque', 'Undurchsichtig'],
  typ: ['Type of its JWTs', 'Typ ihrer JWTs'],
  typHint: [
    'at+jwt is the standard (RFC 9068); JWT only for libraries that know no other.',
    'at+jwt ist der Standard (RFC 9068); JWT nur für Bibliotheken, die nichts anderes kennen.',
  ],
  life: ['Life in seconds', 'Lebensdauer in Sekunden'],
  lifeShort: ['Life', 'Lebensdauer'],
  lifeHint: ['Empty: as the deployment has it.', 'Leer: wie die Installation es vorsieht.'],
  lifeUsual: ['As the deployment', 'Wie die Installation'],
  lifeSeconds: ['{n} s', '{n} s'],
  statusList: ['Tokens have a place in a status list', 'Tokens stehen in einer Statusliste'],
  statusListHint: [
    'An API can then see whether one was revoked without asking for each.',
    'Die API sieht dann, ob eines entzogen wurde, ohne nach jedem zu fragen.',
  ],
  claims: ['Claims of its access tokens', 'Claims in ihren Access-Tokens'],
  claimsHint: [
    'Beside those of the protocol: claim = source, with “for” a scope that it takes. Sources: attributes.NAME, groups, roles, username, a standard claim, or a value in quotes.',
    'Neben denen des Protokolls: Claim = Quelle, mit „for“ ein Scope, den es braucht. Quellen: attributes.NAME, groups, roles, username, ein Standard-Claim oder ein Wert in Anführungszeichen.',
  ],
  addClaim: ['Add a claim', 'Claim hinzufügen'],
  made: ['The API was made', 'Die API wurde angelegt'],
  remove: ['Delete the API', 'API löschen'],
  removeTitle: ['Delete {name}?', '{name} löschen?'],
  removeText: [
    'No more tokens are issued for it. It can only go once no scope belongs to it.',
    'Für sie werden keine Tokens mehr ausgestellt. Sie kann erst gehen, wenn kein Scope mehr zu ihr gehört.',
  ],
  removed: ['The API was deleted', 'Die API wurde gelöscht'],
} as const satisfies WordTable

export const scopes = {
  title: ['Scopes', 'Scopes'],
  one: ['Scope', 'Scope'],
  create: ['New scope', 'Neuer Scope'],
  none: ['No scopes yet', 'Noch keine Scopes'],
  noneText: [
    'A scope is one thing that a token may allow, with the words people read when they are asked.',
    'Ein Scope ist eine Sache, die ein Token erlauben darf, mit den Worten, die Personen lesen, wenn sie gefragt werden.',
  ],
  name: ['Name', 'Name'],
  nameHint: [
    'As it stands in requests and tokens, such as orders:read. It never changes.',
    'Wie er in Anfragen und Tokens steht, etwa orders:read. Er ändert sich nie.',
  ],
  description: ['What people read', 'Was Personen lesen'],
  descriptionHint: [
    'They decide by it: say what happens with what of theirs.',
    'Danach entscheiden sie: Sagen Sie, was mit wessen Sachen geschieht.',
  ],
  descriptionIn: ['What people read ({language})', 'Was Personen lesen ({language})'],
  descriptionOther: ['Empty: the English text.', 'Leer: der englische Text.'],
  resource: ['API', 'API'],
  resourceNone: ['Of no API', 'Zu keiner API'],
  resourceAny: ['Of any API', 'Zu jeder API'],
  sensitivity: ['Sensitivity', 'Empfindlichkeit'],
  sensitivityLow: ['Low', 'Gering'],
  sensitivityNormal: ['Normal', 'Normal'],
  sensitivityHigh: ['High: marked when people are asked', 'Hoch: gekennzeichnet, wenn Personen gefragt werden'],
  high: ['High', 'Hoch'],
  optional: ['People may leave it out', 'Personen dürfen es weglassen'],
  optionalHint: ['And allow the rest.', 'Und den Rest erlauben.'],
  optionalShort: ['Optional', 'Freiwillig'],
  declared: ['Declared here', 'Hier deklariert'],
  ofIssuer: ['Of the issuer itself', 'Des Ausstellers selbst'],
  builtIn: ['Built in', 'Eingebaut'],
  builtInText: [
    'It belongs to the issuer itself, and nobody changes it.',
    'Er gehört dem Aussteller selbst, und niemand ändert ihn.',
  ],
  made: ['The scope was made', 'Der Scope wurde angelegt'],
  remove: ['Delete the scope', 'Scope löschen'],
  removeTitle: ['Delete {name}?', '{name} löschen?'],
  removeText: [
    'No token allows it any more from the next one on. Clients that ask for it are refused it.',
    'Ab dem nächsten erlaubt ihn kein Token mehr. Clients, die ihn anfordern, erhalten ihn nicht.',
  ],
  removed: ['The scope was deleted', 'Der Scope wurde gelöscht'],
} as const satisfies WordTable

export const consentWords = {
  choose: ['A client asks for', 'Ein Client fordert an'],
  chooseText: [
    'Choose scopes, and see what people would be asked.',
    'Wählen Sie Scopes, und sehen Sie, was Personen gefragt würden.',
  ],
  language: ['Language of the person', 'Sprache der Person'],
  page: ['What people read', 'Was Personen lesen'],
  pageText: [
    'In the order and the words of the consent page.',
    'In der Reihenfolge und den Worten der Seite, die um Erlaubnis fragt.',
  ],
  nothing: ['Choose at least one scope', 'Wählen Sie mindestens einen Scope'],
  /** These three are the words of that page itself. */
  wants: ['This app would be able to', 'Diese App könnte'],
  sensitive: ['Sensitive', 'Sensibel'],
  optional: ['Optional', 'Freiwillig'],
} as const satisfies WordTable

export const tokenTest = {
  token: ['Access token', 'Access-Token'],
  tokenHint: [
    'It is sent to this server only, and neither kept nor logged.',
    'Es geht nur an diesen Server und wird weder aufbewahrt noch protokolliert.',
  ],
  text: ['What would this API say to it?', 'Was würde diese API dazu sagen?'],
  test: ['Test', 'Prüfen'],
  accepted: ['The API would accept it', 'Die API würde es annehmen'],
  acceptedProof: [
    'Together with a proof of the key it is bound to (DPoP).',
    'Zusammen mit einem Nachweis des Schlüssels, an den es gebunden ist (DPoP).',
  ],
  acceptedCertificate: [
    'Together with the client certificate it is bound to.',
    'Zusammen mit dem Client-Zertifikat, an das es gebunden ist.',
  ],
  refused: ['The API would refuse it: {status} {code}', 'Die API würde es abweisen: {status} {code}'],
  claims: ['What it says', 'Was es sagt'],
  needed: ['Paste a token.', 'Fügen Sie ein Token ein.'],
} as const satisfies WordTable

export const decisions = {
  policy: ['Policy service', 'Richtliniendienst'],
  policyHint: [
    'The evaluation endpoint (AuthZEN) that is asked before a token of this API is issued.',
    'Der Endpunkt (AuthZEN), der gefragt wird, bevor ein Token dieser API ausgestellt wird.',
  ],
  hook: ['Hook', 'Hook'],
  hookHint: [
    'Is asked after that, by a signed message, and may deny, take away scopes or add claims. The command “grantor resource hook-secret” shows its secret.',
    'Wird danach durch eine signierte Nachricht gefragt und darf ablehnen, Scopes wegnehmen oder Claims hinzufügen. Sein Geheimnis zeigt der Befehl „grantor resource hook-secret“.',
  ],
  deadline: ['{name}: milliseconds to answer', '{name}: Millisekunden zum Antworten'],
  deadlineHint: ['Empty: as usual.', 'Leer: wie üblich.'],
  failure: ['{name}: when it does not answer', '{name}: wenn keine Antwort kommt'],
  deny: ['Issue no token', 'Kein Token ausstellen'],
  allow: ['Go on without it', 'Ohne ihn fortfahren'],
  claims: ['Claims that the hook may add', 'Claims, die der Hook hinzufügen darf'],
  claimsHint: [
    'By their names; any other that it sends is left out.',
    'Mit Namen; alle anderen, die er schickt, entfallen.',
  ],
  addClaim: ['Add a claim', 'Claim hinzufügen'],
} as const satisfies WordTable
