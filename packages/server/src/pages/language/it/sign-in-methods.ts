/** Italian: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'L’accesso con la password richiede un secondo passaggio: una passkey, un codice della tua app o un codice di recupero.',
    leadOff: 'Accedi con la sola password. Aggiungi una passkey o un’app, in modo che la password da sola non basti.',
    confirmFirst: 'Per modificare qualcosa qui, accedi di nuovo.',
    confirm: 'Conferma la tua identità',
    passkeys: 'Passkey',
    passkeysLead:
      'Con una passkey accedi con l’impronta digitale, il volto o un PIN, su questo dispositivo o sul telefono. Non può essere ceduta a una pagina falsa.',
    passkeyName: 'Nome',
    addPasskey: 'Aggiungi una passkey',
    synced: 'Sincronizzata',
    added: 'Aggiunta',
    used: 'Ultimo utilizzo',
    until: 'Fino al',
    never: 'Non ancora',
    remove: 'Rimuovi',
    removeNamed: (name) => `Rimuovi ${name}`,
    removeLead:
      'Non potrai più usarla per accedere. Il secondo passaggio verrà chiesto di nuovo anche nei browser in cui non veniva chiesto.',
    removeLast: 'È l’ultima: per accedere basterà la password e i tuoi codici di recupero non saranno più validi.',
    authenticator: 'App di autenticazione',
    authenticatorLead: 'Un’app sul telefono mostra un nuovo codice ogni mezzo minuto. Funziona anche senza rete.',
    setUp: 'Configura un’app',
    removeAuthenticator: 'Rimuovi l’app di autenticazione',
    codes: 'Codici di recupero',
    codesLead: 'Per il giorno in cui perdi il telefono o la passkey. Conservali su carta o in un gestore di password.',
    codesLeft: (left, f) => f.plural(left, { one: 'Resta # codice.', other: 'Restano # codici.' }),
    newCodes: 'Crea nuovi codici',
    newCodesLead: 'I codici che hai ora smettono subito di funzionare.',
    browsers: 'Browser a cui non viene chiesto',
    browsersLead: 'In questi browser basta la password.',
    noBrowsers: 'Il secondo passaggio viene chiesto in ogni browser.',
    forget: 'Chiedi di nuovo',
    forgetNamed: (device) => `Chiedi di nuovo in ${device}`,
    providers: {
      title: 'Account altrove',
      lead: 'Accedi qui con un account che hai altrove.',
      link: (name: string) => `Collega ${name}`,
      unlink: (name: string) => `Scollega ${name}`,
      unlinkLead: 'Non potrai più accedere qui con esso.',
    },
    failed: {
      last: 'È il tuo unico modo di accedere. Prima imposta una password o aggiungi una passkey.',
      passkey: 'Impossibile aggiungere la passkey. Riprova.',
      full: 'Hai il numero massimo di passkey consentito per un account. Rimuovine prima una.',
      outrun:
        'Questi dati sono stati modificati da un’altra finestra nello stesso momento. Qui non è stato aggiunto nulla. Controlla di nuovo.',
    },
  },
  authenticator: {
    title: 'Configura un’app di autenticazione',
    lead: 'Va bene qualsiasi app per codici monouso.',
    scan: 'Scansiona questo codice con l’app.',
    qr: 'Codice QR con il segreto per la tua app',
    byHand: 'Digitalo a mano',
    type: 'Digita il codice che l’app mostra ora.',
    otp: 'Codice',
    confirm: 'Attiva',
    cancel: 'Annulla',
    wrong: 'Il codice non è corretto. Verifica che l’ora del telefono sia esatta e digita il codice più recente.',
  },
  recoveryCodes: {
    title: 'I tuoi codici di recupero',
    lead: 'I vecchi codici non funzionano più. Ognuno di questi ti consente un accesso, insieme alla password.',
    leadFirst:
      'D’ora in poi la tua password richiede un secondo passaggio. Se perdi il modo di completarlo, ognuno di questi codici lo sostituisce una volta.',
    once: 'Questa pagina viene mostrata una sola volta. Annota o salva i codici prima di continuare.',
    kept: 'Li ho conservati',
    copy: 'Copia',
    copied: 'Copiato',
    save: 'Scarica',
    print: 'Stampa',
  },
}
