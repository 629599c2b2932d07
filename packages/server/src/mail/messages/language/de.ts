/** German. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Waren Sie das nicht, ändern Sie jetzt Ihr Passwort und beenden Sie jede Sitzung, die Sie nicht kennen. Beides geht auf Ihrer Kontoseite.'

export const de: MailMessages = {
  account: 'Konto',
  app: 'App',
  message: 'Nachricht',
  when: 'Wann',
  device: 'Gerät',
  address: 'Adresse',
  unknownDevice: 'Unbekannt',
  unknownAddress: 'Unbekannt',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'Oder öffnen Sie diese Adresse:',
  yourAccount: 'Ihr Konto',
  footer: (service) =>
    `Sie bekommen diese E-Mail, weil Sie ein Konto bei ${service} haben. Antworten darauf liest niemand.`,
  strangerFooter: (service) =>
    `Sie bekommen diese E-Mail, weil diese Adresse bei ${service} angegeben wurde. Antworten darauf liest niemand.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Neues Passwort für ${service} wählen`,
      title: 'Neues Passwort wählen',
      lead: ({ service }) => `Jemand, vermutlich Sie selbst, hat bei ${service} um ein neues Passwort gebeten.`,
      button: 'Neues Passwort wählen',
      linkNote: 'Der Link gilt einmal und 30 Minuten lang. Ein neuerer ersetzt ihn.',
      notYou:
        'Haben Sie nicht darum gebeten, tun Sie nichts: Ihr Passwort bleibt, wie es ist. Geben Sie den Link niemals weiter.',
    },
    sign_in_link: {
      subject: ({ service }) => `Bei ${service} anmelden`,
      title: 'Anmelden',
      lead: ({ service }) => `Jemand, wahrscheinlich Sie, hat einen Link zum Anmelden bei ${service} angefordert.`,
      button: 'Anmelden',
      linkNote: 'Der Link gilt einmal, 10 Minuten lang, in dem Browser, in dem er angefordert wurde.',
      notYou: 'Wenn Sie das nicht waren, tun Sie nichts: Niemand wird angemeldet. Geben Sie den Link nie weiter.',
    },
    sign_up: {
      subject: ({ service }) => `Erstellen Sie Ihr Konto bei ${service}`,
      title: 'Erstellen Sie Ihr Konto',
      lead: ({ service }) => `Jemand, vermutlich Sie, möchte mit dieser Adresse ein Konto bei ${service}.`,
      button: 'Konto erstellen',
      linkNote: 'Der Link gilt einmal und 24 Stunden lang. Ein neuerer ersetzt ihn.',
      notYou: 'Haben Sie das nicht verlangt, tun Sie nichts: Es entsteht kein Konto. Geben Sie den Link nie weiter.',
    },
    account_exists: {
      subject: ({ service }) => `Sie haben schon ein Konto bei ${service}`,
      title: 'Sie haben schon ein Konto',
      lead: ({ service }) =>
        `Jemand, vermutlich Sie, möchte mit dieser Adresse ein Konto bei ${service}. Es gibt schon eines. Haben Sie das Passwort vergessen, können Sie auf der Anmeldeseite ein neues wählen.`,
      button: 'Anmelden',
      notYou: 'Haben Sie das nicht verlangt, tun Sie nichts: Ihr Konto bleibt, wie es ist.',
    },
    invitation: {
      subject: ({ service }) => `Sie sind zu ${service} eingeladen`,
      title: 'Sie sind eingeladen',
      lead: ({ service }) =>
        `Sie sind eingeladen, ein Konto bei ${service} zu haben. Wählen Sie einen Namen und ein Passwort, dann gehört es Ihnen.`,
      button: 'Einladung annehmen',
      linkNote: 'Der Link gilt einmal und nur für diese Adresse.',
      notYou: 'Wissen Sie nicht, worum es geht, tun Sie nichts: Es entsteht kein Konto. Geben Sie den Link nie weiter.',
    },
    deletion_requested: {
      subject: ({ service }) => `Ihr Konto bei ${service} wird gelöscht`,
      title: 'Ihr Konto wird gelöscht',
      lead: ({ service }) =>
        `Ihr Konto bei ${service} wurde beendet und wird endgültig gelöscht. Um es zu behalten, melden Sie sich vorher an.`,
      notYou: 'Waren Sie das nicht, melden Sie sich jetzt an, um das Konto zu behalten, und ändern Sie Ihr Passwort.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Ihr Konto bei ${service} bleibt`,
      title: 'Ihr Konto bleibt',
      lead: ({ service }) =>
        `Jemand hat sich an Ihrem Konto bei ${service} angemeldet, das gelöscht werden sollte. Es bleibt.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Adresse für ${service} bestätigen`,
      title: 'Adresse bestätigen',
      lead: ({ service }) =>
        `Diese Adresse wurde für ein Konto bei ${service} angegeben. Bestätigen Sie sie, wenn das Konto Ihres ist.`,
      button: 'Adresse bestätigen',
      linkNote: 'Der Link gilt einmal und 24 Stunden lang; Sie melden sich dabei an diesem Konto an.',
      notYou: 'Ist das Konto nicht Ihres, tun Sie nichts: Die Adresse wird dann nicht benutzt.',
    },
    address_changed: {
      subject: ({ service }) => `Ihre Adresse bei ${service} wurde geändert`,
      title: 'Ihre Adresse wurde geändert',
      lead: ({ service }) =>
        `Für Ihr Konto bei ${service} wurde eine andere Adresse bestätigt. Von jetzt an gehen E-Mails dorthin und nicht mehr hierher.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Ihr Passwort bei ${service} wurde geändert`,
      title: 'Ihr Passwort wurde geändert',
      lead: ({ service }) =>
        `Das Passwort Ihres Kontos bei ${service} wurde geändert, andere Sitzungen wurden beendet.`,
      notYou:
        'Waren Sie das nicht, bitten Sie jetzt auf der Anmeldeseite um ein neues Passwort und sagen Sie es den Betreibern dieses Dienstes.',
    },
    signed_in: {
      subject: ({ service }) => `Neue Anmeldung bei ${service}`,
      title: 'Neue Anmeldung',
      lead: ({ service }) => `An Ihrem Konto bei ${service} hat sich ein Browser angemeldet, den es noch nicht kannte.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} wurde mit Ihrem Konto bei ${service} verbunden`,
      title: 'Eine App wurde verbunden',
      lead: ({ client, service }) =>
        `Sie haben ${client} erlaubt, bei ${service} in Ihrem Namen zu handeln. Was die App darf, sehen Sie auf Ihrer Kontoseite; dort können Sie es auch zurücknehmen.`,
      notYou: 'Waren Sie das nicht, entfernen Sie jetzt die App auf Ihrer Kontoseite und ändern Sie Ihr Passwort.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} bittet um Zugriff bei ${service}`,
      title: 'Eine App bittet um Zugriff',
      lead: ({ client, service }) =>
        `${client} möchte bei ${service} in Ihrem Namen handeln. Sehen Sie sich die Anfrage auf Ihrer Kontoseite an, und erlauben oder verweigern Sie sie dort.`,
      button: 'Anfrage ansehen',
      linkNote: 'Die Anfrage wartet nur wenige Minuten.',
      notYou:
        'Wenn Sie das nicht begonnen haben, verweigern Sie die Anfrage, oder tun Sie nichts: ohne Sie wird nichts erlaubt. Niemand, der Sie anruft oder Ihnen schreibt, sollte Sie darum bitten.',
    },
    factor_added: {
      subject: ({ service }) => `Anmeldeverfahren bei ${service} hinzugefügt`,
      title: 'Ein Anmeldeverfahren kam hinzu',
      lead: ({ service }) => `An Ihrem Konto bei ${service} kann man sich jetzt auf eine weitere Art anmelden.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Anmeldeverfahren bei ${service} entfernt`,
      title: 'Ein Anmeldeverfahren wurde entfernt',
      lead: ({ service }) => `Eine Art, sich an Ihrem Konto bei ${service} anzumelden, wurde entfernt.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Wiederherstellungscode bei ${service} benutzt`,
      title: 'Ein Wiederherstellungscode wurde benutzt',
      lead: ({ service }) =>
        `Jemand hat sich mit einem Ihrer Wiederherstellungscodes an Ihrem Konto bei ${service} angemeldet. Dieser Code ist verbraucht.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `Test-E-Mail von ${service}`,
      title: 'Es funktioniert',
      lead: ({ service }) => `${service} kann E-Mails senden. Jemand, der den Dienst betreibt, hat um diese gebeten.`,
      notYou: 'Sie müssen nichts tun.',
    },
  },
}
