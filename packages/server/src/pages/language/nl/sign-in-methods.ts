/** Dutch: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'Inloggen met uw wachtwoord vraagt een tweede stap: een toegangssleutel, een code uit uw app of een herstelcode.',
    leadOff:
      'U logt alleen met uw wachtwoord in. Voeg een toegangssleutel of een app toe, zodat het wachtwoord alleen niet genoeg is.',
    confirmFirst: 'Log nogmaals in om hier iets te wijzigen.',
    confirm: 'Bevestigen dat u het bent',
    passkeys: 'Toegangssleutels',
    passkeysLead:
      'Met een toegangssleutel logt u in met uw vingerafdruk, gezicht of pincode, op dit apparaat of op uw telefoon. Hij kan niet op een valse pagina worden weggegeven.',
    passkeyName: 'Naam',
    addPasskey: 'Een toegangssleutel toevoegen',
    synced: 'Gesynchroniseerd',
    added: 'Toegevoegd',
    used: 'Laatst gebruikt',
    until: 'Tot',
    never: 'Nog niet',
    remove: 'Verwijderen',
    removeNamed: (name) => `${name} verwijderen`,
    removeLead: 'U kunt er niet meer mee inloggen. Browsers waarin niet werd gevraagd, vragen weer om de tweede stap.',
    removeLast:
      'Het is de laatste: uw wachtwoord alleen is dan genoeg om in te loggen, en uw herstelcodes zijn ongeldig.',
    authenticator: 'Authenticator-app',
    authenticatorLead: 'Een app op uw telefoon toont elke halve minuut een nieuwe code. Hij werkt zonder netwerk.',
    setUp: 'Een app instellen',
    removeAuthenticator: 'De authenticator-app verwijderen',
    codes: 'Herstelcodes',
    codesLead:
      'Voor de dag dat u uw telefoon of toegangssleutel kwijt bent. Bewaar ze op papier of in een wachtwoordmanager.',
    codesLeft: (left, f) => f.plural(left, { one: 'Er is nog # code over.', other: 'Er zijn nog # codes over.' }),
    newCodes: 'Nieuwe codes maken',
    newCodesLead: 'De codes die u nu hebt, werken meteen niet meer.',
    browsers: 'Browsers waarin niet wordt gevraagd',
    browsersLead: 'In deze browsers is uw wachtwoord genoeg.',
    noBrowsers: 'In elke browser wordt om de tweede stap gevraagd.',
    forget: 'Weer vragen',
    forgetNamed: (device) => `Weer vragen in ${device}`,
    providers: {
      title: 'Accounts elders',
      lead: 'Log hier in met een account dat u elders hebt.',
      link: (name: string) => `${name} koppelen`,
      unlink: (name: string) => `${name} ontkoppelen`,
      unlinkLead: 'U kunt er hier niet meer mee inloggen.',
    },
    failed: {
      last: 'Dit is uw enige manier om in te loggen. Stel eerst een wachtwoord in of voeg een toegangssleutel toe.',
      passkey: 'De toegangssleutel kon niet worden toegevoegd. Probeer het opnieuw.',
      full: 'U hebt zoveel toegangssleutels als een account kan hebben. Verwijder er eerst een.',
      outrun:
        'Dit is op hetzelfde moment vanuit een ander venster gewijzigd. Hier is niets toegevoegd. Kijk het opnieuw na.',
    },
  },
  authenticator: {
    title: 'Een authenticator-app instellen',
    lead: 'Elke app voor eenmalige codes is geschikt.',
    scan: 'Scan dit met de app.',
    qr: 'QR-code met het geheim voor uw app',
    byHand: 'In plaats daarvan intypen',
    type: 'Typ de code die de app nu toont.',
    otp: 'Code',
    confirm: 'Inschakelen',
    cancel: 'Annuleren',
    wrong: 'Die code is niet juist. Controleer of de klok van uw telefoon klopt en typ de nieuwste code.',
  },
  recoveryCodes: {
    title: 'Uw herstelcodes',
    lead: 'Uw oude codes werken niet meer. Met elk van deze codes logt u één keer in, samen met uw wachtwoord.',
    leadFirst:
      'Vanaf nu heeft uw wachtwoord een tweede stap nodig. Raakt u die kwijt, dan vervangt elk van deze codes hem één keer.',
    once: 'Deze pagina wordt maar één keer getoond. Schrijf de codes op of sla ze op voordat u verdergaat.',
    kept: 'Ik heb ze bewaard',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    save: 'Downloaden',
    print: 'Afdrukken',
  },
}
