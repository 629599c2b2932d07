/** German: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Zum Inhalt springen',
    languages: 'Sprache',
    signIn: (service) => `Bei ${service} anmelden`,
    errorSummary: 'Das hat nicht geklappt',
    errorTitle: (title) => `Fehler: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Anzeigen',
    title: 'Anmelden',
    to: (client) => `um fortzufahren mit ${client}`,
    toService: (service) => `um fortzufahren mit ${service}`,
    again: 'Bitte melden Sie sich noch einmal an, um zu bestätigen, dass Sie es sind.',
    username: 'Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    rejected: 'Benutzername und Passwort passen nicht zusammen.',
    throttled: (wait) => `Zu viele Versuche. Wieder möglich in: ${wait}.`,
    expired: 'Diese Seite war zu lange offen. Bitte melden Sie sich noch einmal an.',
    providers: {
      with: (name: string) => `Weiter mit ${name}`,
      problems: {
        cancelled: (name: string) => `Sie haben sich nicht mit ${name} angemeldet.`,
        unavailable: (name: string) =>
          `${name} ist gerade nicht erreichbar. Versuchen Sie es später noch einmal oder melden Sie sich anders an.`,
        refused: (name: string) =>
          `Die Antwort von ${name} konnte nicht angenommen werden. Versuchen Sie es noch einmal oder melden Sie sich anders an.`,
        stale: (name: string) =>
          `${name} hat Sie nicht erneut nach der Anmeldung gefragt. Melden Sie sich dort zuerst ab oder hier anders an.`,
        unlinked: (name: string) =>
          `Niemand hier ist mit diesem Konto bei ${name} verknüpft. Wenn Sie hier ein Konto haben, melden Sie sich anders an und verknüpfen Sie ${name} unter Ihren Anmeldewegen.`,
        another: (name: string) =>
          `Ihr Konto hier ist mit einem anderen Konto bei ${name} verknüpft. Melden Sie sich anders an oder fragen Sie den Betreiber.`,
        disabled: (name: string) => `Mit ${name} können Sie sich hier nicht anmelden. Fragen Sie den Betreiber.`,
        taken: (name: string) => `Dieses Konto bei ${name} ist hier mit jemand anderem verknüpft.`,
        gone: (_name: string) => 'Diese Art der Anmeldung wird nicht mehr angeboten.',
      },
    },
  },
  passkey: {
    or: 'oder',
    use: 'Mit Passkey anmelden',
    failed: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder auf anderem Weg.',
    unsupported: 'Dieser Browser kann keine Passkeys verwenden.',
    noScript: 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
  },
  secondFactor: {
    title: 'Noch ein Schritt',
    lead: (username) => `Zeigen Sie, dass Sie es sind, ${username}.`,
    otp: 'Code aus Ihrer Authenticator-App',
    otpHint: 'Sechs Ziffern. Sie werden abgeschickt, sobald alle eingegeben sind.',
    remember: (time) => `In diesem Browser nicht mehr fragen, für ${time}`,
    submit: 'Anmelden',
    passkeyOnly: 'Die App verlangt eine Anmeldung, die nur ein Passkey leisten kann.',
    recover: 'Wiederherstellungscode verwenden',
    recoveryCode: 'Wiederherstellungscode',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Jeder gilt einmal. Sie haben noch einen.',
        other: 'Jeder gilt einmal. Sie haben noch #.',
      }),
    startOver: 'Anders anmelden',
    rejected: 'Das war nicht richtig oder wurde schon verwendet.',
    throttled: (wait) => `Zu viele Versuche. Wieder möglich in: ${wait}.`,
  },
  newPassword: {
    title: 'Eigenes Passwort wählen',
    lead: (username) => `für das Konto ${username}`,
    why: 'Sie haben sich mit einem Passwort angemeldet, das für Sie gemacht wurde. Ab jetzt gilt nur das neue.',
    submit: 'Passwort setzen und weiter',
  },
  choose: {
    title: 'Konto wählen',
    to: (client) => `um fortzufahren mit ${client}`,
    signedOut: 'Abgemeldet',
    another: 'Anderes Konto verwenden',
  },
  forgot: {
    title: 'Passwort vergessen?',
    lead: 'Sagen Sie uns, wer Sie sind. Wir schicken Ihnen einen Link, um ein neues zu wählen.',
    named: 'Benutzername oder E-Mail-Adresse',
    submit: 'Link schicken',
    throttled: (wait) => `Zu viele Anfragen. Wieder möglich in: ${wait}.`,
    sentTitle: 'Sehen Sie in Ihre E-Mails',
    sent: 'Gibt es ein Konto dieses Namens mit einer E-Mail-Adresse, ist ein Link dorthin unterwegs. Er gilt 30 Minuten.',
    sentHint: 'Nichts da? Sehen Sie im Spam nach oder fragen Sie, wer diesen Dienst betreibt.',
    back: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: (username) => `für das Konto ${username}`,
    endsAll: 'Sie werden überall abgemeldet und melden sich dann mit dem neuen Passwort an.',
    submit: 'Passwort setzen',
    doneTitle: 'Ihr Passwort wurde geändert',
    done: 'Melden Sie sich mit dem neuen an. Benutzen Sie einen zweiten Faktor, wird er wie immer abgefragt.',
    signIn: 'Anmelden',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: 'Er wurde benutzt, ist zu alt, oder es gibt einen neueren. Er muss auch in dem Browser geöffnet werden, in dem Sie fortfahren.',
    again: 'Neuen Link anfordern',
  },
}
