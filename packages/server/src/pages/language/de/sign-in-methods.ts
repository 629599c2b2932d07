/** German: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'Die Anmeldung mit Passwort braucht einen zweiten Schritt: einen Passkey, einen Code aus Ihrer App oder einen Wiederherstellungscode.',
    leadOff:
      'Sie melden sich allein mit Ihrem Passwort an. Fügen Sie einen Passkey oder eine App hinzu, damit das Passwort allein nicht genügt.',
    confirmFirst: 'Um hier etwas zu ändern, melden Sie sich noch einmal an.',
    confirm: 'Bestätigen, dass Sie es sind',
    passkeys: 'Passkeys',
    passkeysLead:
      'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN an, auf diesem Gerät oder Ihrem Telefon. Auf einer falschen Seite kann er nicht verraten werden.',
    passkeyName: 'Name',
    addPasskey: 'Passkey hinzufügen',
    synced: 'Synchronisiert',
    added: 'Hinzugefügt',
    used: 'Zuletzt verwendet',
    until: 'Bis',
    never: 'Noch nicht',
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
    removeLead: 'Sie können sich damit nicht mehr anmelden. Browser, die nicht gefragt wurden, werden wieder gefragt.',
    removeLast: 'Es ist der letzte: Danach genügt Ihr Passwort allein, und Ihre Wiederherstellungscodes sind ungültig.',
    authenticator: 'Authenticator-App',
    authenticatorLead: 'Eine App auf Ihrem Telefon zeigt jede halbe Minute einen neuen Code. Sie braucht kein Netz.',
    setUp: 'App einrichten',
    removeAuthenticator: 'Authenticator-App entfernen',
    codes: 'Wiederherstellungscodes',
    codesLead:
      'Für den Tag, an dem Telefon oder Passkey verloren ist. Bewahren Sie sie auf Papier oder in einem Passwortmanager auf.',
    codesLeft: (left, f) => f.plural(left, { one: '# Code ist übrig.', other: '# Codes sind übrig.' }),
    newCodes: 'Neue Codes erstellen',
    newCodesLead: 'Die Codes, die Sie jetzt haben, gelten sofort nicht mehr.',
    browsers: 'Browser, die nicht gefragt werden',
    browsersLead: 'In diesen Browsern genügt Ihr Passwort.',
    noBrowsers: 'In jedem Browser wird nach dem zweiten Schritt gefragt.',
    forget: 'Wieder fragen',
    forgetNamed: (device) => `Wieder fragen in ${device}`,
    providers: {
      title: 'Konten anderswo',
      lead: 'Melden Sie sich hier mit einem Konto an, das Sie anderswo haben.',
      link: (name: string) => `${name} verknüpfen`,
      unlink: (name: string) => `${name} trennen`,
      unlinkLead: 'Sie können sich damit hier nicht mehr anmelden.',
    },
    failed: {
      last: 'Das ist Ihre einzige Art, sich anzumelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen Passkey hinzu.',
      passkey: 'Der Passkey konnte nicht hinzugefügt werden. Bitte versuchen Sie es noch einmal.',
      full: 'Sie haben so viele Passkeys, wie ein Konto haben kann. Entfernen Sie zuerst einen.',
      outrun:
        'Im selben Augenblick wurde dies in einem anderen Fenster geändert. Hier wurde nichts hinzugefügt. Bitte sehen Sie noch einmal nach.',
    },
  },
  authenticator: {
    title: 'Authenticator-App einrichten',
    lead: 'Jede App für Einmalcodes ist geeignet.',
    scan: 'Scannen Sie dies mit der App.',
    qr: 'QR-Code mit dem Geheimnis für Ihre App',
    byHand: 'Stattdessen eintippen',
    type: 'Geben Sie den Code ein, den die App jetzt zeigt.',
    otp: 'Code',
    confirm: 'Einschalten',
    cancel: 'Abbrechen',
    wrong: 'Dieser Code stimmt nicht. Prüfen Sie die Uhr Ihres Telefons und geben Sie den neuesten Code ein.',
  },
  recoveryCodes: {
    // With a place to part the word: it is wider than a phone.
    title: 'Ihre Wiederherstellungs\u00adcodes',
    lead: 'Ihre alten Codes gelten nicht mehr. Mit jedem dieser Codes melden Sie sich einmal an, zusammen mit Ihrem Passwort.',
    leadFirst:
      'Ab jetzt braucht Ihr Passwort einen zweiten Schritt. Sollten Sie ihn verlieren, steht jeder dieser Codes einmal dafür ein.',
    once: 'Diese Seite wird einmal gezeigt. Schreiben Sie die Codes auf oder speichern Sie sie, bevor Sie weitergehen.',
    kept: 'Ich habe sie aufbewahrt',
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Herunterladen',
    print: 'Drucken',
  },
}
