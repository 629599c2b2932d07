/** French: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Créer un compte',
    title: 'Créer un compte',
    lead: 'Nous envoyons un lien à votre adresse e-mail. Le compte est créé lorsque vous le suivez.',
    email: 'Adresse e-mail',
    submit: 'Envoyer le lien',
    domain: 'Ici, les comptes sont réservés aux adresses de certaines organisations.',
    sent: 'Un e-mail vient d’être envoyé à cette adresse. Le lien qu’il contient ne sert qu’une fois, pendant 24 heures.',
    sentHint: 'Rien reçu ? Regardez dans les spams ou vérifiez comment vous avez écrit l’adresse.',
    refusedTitle: 'Ce compte ne peut pas être créé',
    refused:
      'Les responsables de ce service en ont décidé ainsi pour cette demande. Vous pouvez réessayer plus tard ou leur poser la question.',
    stepTitle: 'Encore une étape',
    step: 'Les responsables de ce service demandent encore une étape avant la création du compte. Revenez ici ensuite.',
    stepOnward: 'Continuer',
  },
  signInLink: {
    link: 'Recevoir un lien de connexion par e-mail',
    title: 'Se connecter par e-mail',
    lead: 'Dites-nous qui vous êtes, et nous vous envoyons un lien pour vous connecter.',
    sent: 'S’il existe un compte de ce nom avec une adresse e-mail, un lien vient d’y être envoyé. Il ne sert qu’une fois, pendant 10 minutes, dans ce navigateur.',
    finish: 'Se connecter',
    as: (username) => `en tant que ${username}`,
    finishHint: 'Le lien ne sert qu’une fois. Si vous ne l’avez pas demandé, fermez cette page.',
    elsewhereTitle: 'Ouvrez le lien dans l’autre navigateur',
    elsewhere:
      'Ce lien ne connecte que le navigateur dans lequel il a été demandé. Ouvrez-le là-bas, ou demandez-en un nouveau ici.',
    again: 'Demander un lien ici',
  },
  newAccount: {
    title: 'Votre nouveau compte',
    lead: (email) => `pour ${email}`,
    name: 'Votre nom',
    submit: 'Créer le compte',
    unreadable: 'Écrivez un nom lisible de 200 caractères au plus.',
    gone: 'Il a été utilisé, il est trop ancien ou un plus récent a été envoyé. Si vous avez déjà un compte, connectez-vous.',
  },
  terms: {
    title: 'Conditions d’utilisation',
    lead: 'Pour continuer, lisez les conditions d’utilisation et acceptez-les.',
    read: (version) => `Lire les conditions d’utilisation, version ${version}`,
    agree: 'J’accepte les conditions d’utilisation',
    submit: 'Accepter et continuer',
    required: 'Pour continuer, vous devez accepter les conditions d’utilisation.',
  },
  profile: {
    lead: 'Ce que les applications peuvent apprendre de vous si vous l’autorisez.',
    given: 'Prénom',
    family: 'Nom de famille',
    locale: 'Langue',
    zone: 'Fuseau horaire',
    suchAs: (value) => `Par exemple ${value}`,
    picture: 'Image',
    pictureHint: 'Une adresse https.',
    submit: 'Enregistrer',
    invalid: 'Cela ne peut pas être enregistré ainsi.',
  },
  ownData: {
    lead: 'Ce qui est conservé à votre sujet, et comment y mettre fin.',
    downloadTitle: 'Télécharger vos données',
    downloadLead:
      'Tout ce qui est conservé à votre sujet, dans un fichier JSON. Il ne contient ni mot de passe ni clé.',
    download: 'Télécharger',
    deleteTitle: 'Supprimer votre compte',
    deleteLead: (date) =>
      `Vous êtes déconnecté partout immédiatement et toutes les applications perdent leur accès. Jusqu’au ${date}, vous pouvez revenir en vous connectant. Ensuite, votre compte et tout ce qui est conservé à votre sujet sont supprimés définitivement.`,
    submit: 'Supprimer mon compte',
    stale: 'Votre connexion est trop ancienne pour cela. Déconnectez-vous, reconnectez-vous, puis revenez ici.',
    lastOwner: 'Vous êtes le dernier propriétaire ici. Nommez d’abord un autre propriétaire.',
    deletedTitle: 'Votre compte va être supprimé',
    deleted: (date) => `Il sera supprimé définitivement le ${date}. Pour le garder, connectez-vous avant.`,
  },
}
