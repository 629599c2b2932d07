/** German: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Konto erstellen',
    title: 'Konto erstellen',
    lead: 'Wir senden einen Link an Ihre E-Mail-Adresse. Das Konto entsteht, wenn Sie ihm folgen.',
    email: 'E-Mail-Adresse',
    submit: 'Link senden',
    domain: 'Konten gibt es hier nur für Adressen bestimmter Organisationen.',
    sent: 'Eine E-Mail ist an diese Adresse unterwegs. Der Link darin gilt einmal und 24 Stunden lang.',
    sentHint: 'Nichts da? Sehen Sie im Spam nach oder prüfen Sie, wie Sie die Adresse geschrieben haben.',
    refusedTitle: 'Dieses Konto kann nicht angelegt werden',
    refused:
      'Der Betreiber dieses Dienstes hat für diese Anfrage so entschieden. Versuchen Sie es später noch einmal, oder fragen Sie dort nach.',
    stepTitle: 'Noch ein Schritt',
    step: 'Der Betreiber dieses Dienstes verlangt noch einen Schritt, bevor das Konto angelegt werden kann. Kommen Sie danach hierher zurück.',
    stepOnward: 'Weiter',
  },
  signInLink: {
    link: 'Anmeldelink per E-Mail senden',
    title: 'Per E-Mail anmelden',
    lead: 'Sagen Sie uns, wer Sie sind, und wir senden Ihnen einen Link, mit dem Sie sich anmelden.',
    sent: 'Wenn es ein Konto dieses Namens mit einer E-Mail-Adresse gibt, ist ein Link dorthin unterwegs. Er gilt einmal, 10 Minuten lang, in diesem Browser.',
    finish: 'Anmelden',
    as: (username) => `als ${username}`,
    finishHint: 'Der Link gilt einmal. Wenn Sie ihn nicht angefordert haben, schließen Sie diese Seite.',
    elsewhereTitle: 'Öffnen Sie den Link im anderen Browser',
    elsewhere:
      'Dieser Link meldet nur den Browser an, in dem er angefordert wurde. Öffnen Sie ihn dort oder fordern Sie hier einen neuen an.',
    again: 'Hier einen Link anfordern',
  },
  newAccount: {
    title: 'Ihr neues Konto',
    lead: (email) => `für ${email}`,
    name: 'Ihr Name',
    submit: 'Konto erstellen',
    unreadable: 'Schreiben Sie einen lesbaren Namen mit höchstens 200 Zeichen.',
    gone: 'Er wurde benutzt, ist zu alt, oder es gibt einen neueren. Haben Sie schon ein Konto, melden Sie sich an.',
  },
  terms: {
    title: 'Nutzungsbedingungen',
    lead: 'Um fortzufahren, lesen Sie die Nutzungsbedingungen und stimmen Sie ihnen zu.',
    read: (version) => `Nutzungsbedingungen lesen, Version ${version}`,
    agree: 'Ich stimme den Nutzungsbedingungen zu',
    submit: 'Zustimmen und weiter',
    required: 'Um fortzufahren, müssen Sie den Nutzungsbedingungen zustimmen.',
  },
  profile: {
    lead: 'Was Apps von Ihnen erfahren können, wenn Sie es erlauben.',
    given: 'Vorname',
    family: 'Nachname',
    locale: 'Sprache',
    zone: 'Zeitzone',
    suchAs: (value) => `Zum Beispiel ${value}`,
    picture: 'Bild',
    pictureHint: 'Eine https-Adresse.',
    submit: 'Speichern',
    invalid: 'So lässt sich das nicht speichern.',
  },
  ownData: {
    lead: 'Was über Sie gespeichert ist, und wie Sie es beenden.',
    downloadTitle: 'Ihre Daten herunterladen',
    downloadLead:
      'Alles, was über Sie gespeichert ist, in einer JSON-Datei. Sie enthält keine Passwörter und keine Schlüssel.',
    download: 'Herunterladen',
    deleteTitle: 'Ihr Konto löschen',
    deleteLead: (date) =>
      `Sie werden sofort überall abgemeldet, und jede App verliert den Zugriff. Bis ${date} können Sie zurückkommen, indem Sie sich anmelden. Danach werden Ihr Konto und alles über Sie Gespeicherte endgültig gelöscht.`,
    submit: 'Mein Konto löschen',
    stale: 'Ihre Anmeldung ist dafür zu lange her. Melden Sie sich ab, wieder an und kommen Sie dann hierher zurück.',
    lastOwner: 'Sie sind hier der letzte Eigentümer. Machen Sie zuerst jemand anderen zum Eigentümer.',
    deletedTitle: 'Ihr Konto wird gelöscht',
    deleted: (date) => `Am ${date} wird es endgültig gelöscht. Um es zu behalten, melden Sie sich vorher an.`,
  },
}
