/** French: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'La connexion par mot de passe comporte une seconde étape : une clé d’accès, un code de votre application ou un code de récupération.',
    leadOff:
      'Vous vous connectez avec votre seul mot de passe. Ajoutez une clé d’accès ou une application pour que le mot de passe seul ne suffise pas.',
    confirmFirst: 'Pour modifier quoi que ce soit ici, connectez-vous à nouveau.',
    confirm: 'Confirmer votre identité',
    passkeys: 'Clés d’accès',
    passkeysLead:
      'Une clé d’accès vous connecte avec votre empreinte digitale, votre visage ou un code PIN, sur cet appareil ou sur votre téléphone. Elle ne peut pas être livrée à une fausse page.',
    passkeyName: 'Nom',
    addPasskey: 'Ajouter une clé d’accès',
    synced: 'Synchronisée',
    added: 'Ajout',
    used: 'Dernière utilisation',
    until: 'Jusqu’au',
    never: 'Pas encore',
    remove: 'Supprimer',
    removeNamed: (name) => `Supprimer ${name}`,
    removeLead:
      'Vous ne pourrez plus vous connecter avec. Les navigateurs dispensés de la seconde étape devront à nouveau la franchir.',
    removeLast:
      'C’est la dernière : votre mot de passe seul suffira pour vous connecter, et vos codes de récupération ne seront plus valables.',
    authenticator: 'Application d’authentification',
    authenticatorLead:
      'Une application sur votre téléphone affiche un nouveau code toutes les trente secondes. Elle fonctionne sans réseau.',
    setUp: 'Configurer une application',
    removeAuthenticator: 'Supprimer l’application d’authentification',
    codes: 'Codes de récupération',
    codesLead:
      'Pour le jour où vous perdez votre téléphone ou votre clé d’accès. Conservez-les sur papier ou dans un gestionnaire de mots de passe.',
    codesLeft: (left, f) => f.plural(left, { one: 'Il reste # code.', other: 'Il reste # codes.' }),
    newCodes: 'Créer de nouveaux codes',
    newCodesLead: 'Vos codes actuels cessent aussitôt de fonctionner.',
    browsers: 'Navigateurs dispensés',
    browsersLead: 'Dans ces navigateurs, votre mot de passe suffit.',
    noBrowsers: 'La seconde étape est demandée dans tous les navigateurs.',
    forget: 'Demander à nouveau',
    forgetNamed: (device) => `Demander à nouveau dans ${device}`,
    providers: {
      title: 'Comptes ailleurs',
      lead: 'Connectez-vous ici avec un compte que vous avez ailleurs.',
      link: (name: string) => `Lier ${name}`,
      unlink: (name: string) => `Délier ${name}`,
      unlinkLead: 'Vous ne pourrez plus vous connecter ici avec ce compte.',
    },
    failed: {
      last: 'C’est votre seule façon de vous connecter. Définissez d’abord un mot de passe ou ajoutez une clé d’accès.',
      passkey: 'La clé d’accès n’a pas pu être ajoutée. Veuillez réessayer.',
      full: 'Vous avez atteint le nombre maximal de clés d’accès d’un compte. Supprimez-en d’abord une.',
      outrun:
        'Une autre fenêtre a modifié ces informations au même moment. Rien n’a été ajouté ici. Veuillez vérifier à nouveau.',
    },
  },
  authenticator: {
    title: 'Configurer une application d’authentification',
    lead: 'Toute application de codes à usage unique convient.',
    scan: 'Scannez ceci avec l’application.',
    qr: 'QR code contenant le secret pour votre application',
    byHand: 'Saisir manuellement',
    type: 'Saisissez le code que l’application affiche maintenant.',
    otp: 'Code',
    confirm: 'Activer',
    cancel: 'Annuler',
    wrong: 'Ce code est incorrect. Vérifiez l’heure de votre téléphone et saisissez le code le plus récent.',
  },
  recoveryCodes: {
    title: 'Vos codes de récupération',
    lead: 'Vos anciens codes ne fonctionnent plus. Chacun de ceux-ci vous connecte une fois, avec votre mot de passe.',
    leadFirst:
      'Désormais, votre mot de passe nécessite une seconde étape. Si vous en perdez le moyen, chacun de ces codes le remplace une fois.',
    once: 'Cette page ne s’affiche qu’une fois. Notez ou enregistrez les codes avant de continuer.',
    kept: 'Je les ai conservés',
    copy: 'Copier',
    copied: 'Copié',
    save: 'Télécharger',
    print: 'Imprimer',
  },
}
