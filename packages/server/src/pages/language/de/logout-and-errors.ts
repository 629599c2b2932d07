/** German: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Autorisierungsdienst',
    lead: 'Hier melden sich Menschen an und entscheiden, welche App was in ihrem Namen darf.',
    account: { title: 'Ihr Konto', lead: 'Apps mit Zugriff, Sitzungen und wie Sie sich anmelden.' },
    console: { title: 'Konsole', lead: 'Clients, Menschen, Zugriffe und Schlüssel, für Administratoren.' },
    discovery: { title: 'Discovery-Dokument', lead: 'Wo Clients und APIs alle Endpunkte dieses Ausstellers finden.' },
    problems: { title: 'Fehlercodes', lead: 'Was jeder Fehler bedeutet und was zu tun ist.' },
    tryIt: 'Ausprobieren',
    steps: {
      token: 'Einen Token holen, in einer Shell',
      call: 'Damit die Orders-API aufrufen',
      revoke: 'Ihn widerrufen; derselbe Aufruf wird dann abgelehnt',
      trust: 'Die Browser dieses Rechners seinem Zertifikat vertrauen lassen; dasselbe mit --remove nimmt es zurück',
      browser: 'Mit einem Browser anmelden, als alice mit dem Passwort alice',
      terminal: 'Von einem Terminal anmelden, mit einem Code',
    },
  },
  logout: {
    title: 'Abmelden?',
    asked: (client) => `${client} möchte Sie abmelden.`,
    lead: (service) => `Sie werden in diesem Browser von ${service} abgemeldet.`,
    confirm: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneTitle: 'Sie sind abgemeldet',
    done: (service) => `Sie sind in diesem Browser nicht mehr bei ${service} angemeldet.`,
    back: (client) => `Zurück zu ${client}`,
    signInAgain: 'Wieder anmelden',
    framesTitle: 'Sie sind abgemeldet',
    frames: 'Die Apps, die Sie benutzt haben, werden benachrichtigt. Das dauert einen Moment.',
    frame: (host) => `Abmeldung bei ${host}`,
    onward: 'Weiter',
  },
  error: {
    trace: 'Vorgang',
    traceHint: 'Geben Sie diese dem Support. Sie sagt nichts über Sie aus.',
    code: 'Fehlercode',
    home: 'Zur Startseite',
    kinds: {
      request: {
        title: 'Diese Anfrage lässt sich nicht beantworten',
        lead: 'Die App, von der Sie kommen, hat auf ungültige Weise gefragt.',
        remedy:
          'Gehen Sie zurück zur App und versuchen Sie es noch einmal. Passiert es wieder, sagen Sie es den Betreibern.',
      },
      client: {
        title: 'Wir kennen diese App nicht',
        lead: 'Die App, von der Sie kommen, ist bei diesem Dienst nicht registriert.',
        remedy: 'Zu Ihrem Schutz haben wir nichts dorthin gesendet. Sagen Sie es den Betreibern der App.',
      },
      missing: {
        title: 'Die Anfrage der App ist unvollständig',
        lead: 'Die App, die Sie hierher geschickt hat, hat etwas ausgelassen: wer sie ist, oder wohin die Antwort soll.',
        remedy:
          'Gehen Sie zur App zurück und versuchen Sie es noch einmal. Sagen Sie es sonst denen, die sie betreiben.',
      },
      redirect: {
        title: 'Die Rücksprungadresse der App ist nicht registriert',
        lead: 'Wir kennen die App, von der Sie kommen, aber nicht die Adresse, an die sie die Antwort haben will.',
        remedy:
          'Zu Ihrem Schutz haben wir nichts dorthin gesendet. Sagen Sie es den Betreibern der App: Ihre redirect_uri muss genau so registriert sein, wie sie gesendet wird.',
      },
      expired: {
        title: 'Das hat zu lange gedauert',
        lead: 'Die Anfrage gilt nicht mehr oder wurde schon beantwortet.',
        remedy: 'Gehen Sie zurück zur App und beginnen Sie von vorn.',
      },
      elsewhere: {
        title: 'Dies wurde in einem anderen Browser begonnen',
        lead: 'Nur der Browser, der eine Anmeldung begonnen hat, kann sie beenden.',
        remedy:
          'Gehen Sie in diesem Browser zurück zur App und beginnen Sie von vorn. Prüfen Sie, ob Cookies erlaubt sind.',
      },
      returned: {
        title: 'Diese Anmeldung kann hier nicht beendet werden',
        lead: 'Sie wurde in einem anderen Browser begonnen, hat zu lange gedauert oder ist schon beendet. Es wurde nichts geändert.',
        remedy: 'Beginnen Sie noch einmal in der App oder auf der Startseite.',
      },
      forged: {
        title: 'Das Formular wurde nicht angenommen',
        lead: 'Es kam von einer anderen Seite oder war zu lange offen.',
        remedy: 'Gehen Sie zurück zur App und beginnen Sie von vorn.',
      },
      unavailable: {
        title: 'Gleich wieder da',
        lead: 'Der Dienst kann gerade nicht antworten. Es wurde nichts geändert.',
        remedy: 'Warten Sie kurz und laden Sie die Seite dann neu.',
      },
      not_found: {
        title: 'Hier ist nichts',
        lead: 'Diese Seite gibt es nicht oder nicht mehr.',
        remedy: 'Prüfen Sie die Adresse.',
      },
      internal: {
        title: 'Bei uns ist etwas schiefgegangen',
        lead: 'Die Anfrage konnte nicht beantwortet werden. Der Vorfall ist vermerkt.',
        remedy: 'Versuchen Sie es noch einmal. Passiert es wieder, geben Sie dem Support die Vorgangsnummer.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Diese Anfrage lässt sich nicht beantworten',
        lead: (client) => `${client} hat um etwas gebeten und es nicht bekommen.`,
      },
      denied: {
        title: 'Kein Zugriff',
        lead: (client) => `${client} hat keinen Zugriff auf Ihr Konto bekommen.`,
      },
      signedOut: {
        title: 'Sie sind abgemeldet',
        lead: (client) => `${client} möchte, dass Sie zurückkommen.`,
      },
    },
    unchecked: (service) =>
      `Diese App hat sich selbst registriert, und Sie haben ihr hier noch nichts erlaubt. ${service} hat nicht geprüft, wohin sie führt: Gehen Sie nur weiter, wenn Sie diese Adresse kennen.`,
    address: 'Ihre Adresse',
    go: (host) => `Weiter zu ${host}`,
  },
  problem: {
    happened: 'Was passiert ist',
    why: 'Warum',
    remedy: 'Was zu tun ist',
    source: 'Festgelegt in',
    status: 'HTTP-Status',
    all: 'Alle Fehlercodes',
    allLead: 'Jeder Fehler, mit dem dieser Dienst und die von ihm geschützten APIs antworten können.',
    unknownTitle: 'Unbekannter Fehlercode',
    unknown: 'Einen Fehler dieses Namens hat dieser Dienst nicht.',
    families: {
      authorize: 'Im Browser: die Antwort auf eine Autorisierungsanfrage',
      token: 'Hinter dem Browser: Token- und andere Endpunkte',
      api: 'An einer geschützten API: Problemtypen',
    },
  },
}
