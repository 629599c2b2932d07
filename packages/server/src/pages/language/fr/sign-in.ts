/** French: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Aller au contenu',
    languages: 'Langue',
    signIn: (service) => `Se connecter à ${service}`,
    errorSummary: 'Cela n’a pas fonctionné',
    errorTitle: (title) => `Erreur : ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Afficher',
    title: 'Se connecter',
    to: (client) => `pour continuer vers ${client}`,
    toService: (service) => `pour continuer vers ${service}`,
    again: 'Veuillez vous reconnecter pour confirmer votre identité.',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    submit: 'Se connecter',
    forgot: 'Mot de passe oublié ?',
    rejected: 'Le nom d’utilisateur et le mot de passe ne correspondent pas.',
    throttled: (wait) => `Trop de tentatives. Réessayez dans ${wait}.`,
    expired: 'Cette page est restée ouverte trop longtemps. Veuillez vous reconnecter.',
    providers: {
      with: (name: string) => `Continuer avec ${name}`,
      problems: {
        cancelled: (name: string) => `Vous ne vous êtes pas connecté avec ${name}.`,
        unavailable: (name: string) =>
          `${name} est injoignable pour le moment. Réessayez plus tard ou connectez-vous autrement.`,
        refused: (name: string) =>
          `La réponse de ${name} n’a pas pu être acceptée. Réessayez ou connectez-vous autrement.`,
        stale: (name: string) =>
          `${name} ne vous a pas demandé de vous reconnecter. Déconnectez-vous d’abord là-bas ou connectez-vous autrement.`,
        unlinked: (name: string) =>
          `Personne ici n’est lié à ce compte chez ${name}. Si vous avez un compte ici, connectez-vous autrement et liez ${name} dans vos méthodes de connexion.`,
        another: (name: string) =>
          `Votre compte ici est lié à un autre compte chez ${name}. Connectez-vous autrement ou demandez à la personne qui gère ce service.`,
        disabled: (name: string) =>
          `Vous ne pouvez pas vous connecter ici avec ${name}. Demandez à la personne qui gère ce service.`,
        taken: (name: string) => `Ce compte chez ${name} est lié à quelqu’un d’autre ici.`,
        gone: (_name: string) => 'Cette façon de se connecter n’est plus proposée.',
      },
    },
  },
  passkey: {
    or: 'ou',
    use: 'Se connecter avec une clé d’accès',
    failed: 'Aucune clé d’accès n’a été utilisée. Réessayez ou continuez autrement.',
    unsupported: 'Ce navigateur ne prend pas en charge les clés d’accès.',
    noScript: 'Les clés d’accès nécessitent JavaScript, qui est désactivé dans ce navigateur.',
  },
  secondFactor: {
    title: 'Encore une étape',
    lead: (username) => `Confirmez qu’il s’agit bien de vous, ${username}.`,
    otp: 'Code de votre application d’authentification',
    otpHint: 'Six chiffres, envoyés dès que tous sont saisis.',
    remember: (time) => `Ne plus demander dans ce navigateur pendant ${time}`,
    submit: 'Se connecter',
    passkeyOnly: 'L’application exige une connexion que seule une clé d’accès permet.',
    recover: 'Utiliser un code de récupération',
    recoveryCode: 'Code de récupération',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Chaque code ne sert qu’une fois. Il vous en reste #.',
        other: 'Chaque code ne sert qu’une fois. Il vous en reste #.',
      }),
    startOver: 'Se connecter autrement',
    rejected: 'Ce code est incorrect ou a déjà été utilisé.',
    throttled: (wait) => `Trop de tentatives. Réessayez dans ${wait}.`,
  },
  newPassword: {
    title: 'Choisissez votre propre mot de passe',
    lead: (username) => `pour le compte ${username}`,
    why: 'Vous vous êtes connecté avec un mot de passe créé pour vous. Désormais, seul le nouveau fonctionnera.',
    submit: 'Définir le mot de passe et continuer',
  },
  choose: {
    title: 'Choisir un compte',
    to: (client) => `pour continuer vers ${client}`,
    signedOut: 'Déconnecté',
    another: 'Utiliser un autre compte',
  },
  forgot: {
    title: 'Mot de passe oublié ?',
    lead: 'Dites-nous qui vous êtes, et nous vous enverrons un lien pour en choisir un nouveau.',
    named: 'Nom d’utilisateur ou adresse e-mail',
    submit: 'Envoyer le lien',
    throttled: (wait) => `Trop de demandes. Réessayez dans ${wait}.`,
    sentTitle: 'Consultez votre messagerie',
    sent: 'S’il existe un compte à ce nom avec une adresse e-mail, un lien vient d’y être envoyé. Il est valable 30 minutes.',
    sentHint: 'Rien reçu ? Regardez dans les spams ou contactez l’exploitant de ce service.',
    back: 'Retour à la connexion',
  },
  reset: {
    title: 'Choisir un nouveau mot de passe',
    lead: (username) => `pour le compte ${username}`,
    endsAll: 'Vous serez déconnecté partout, puis vous vous connecterez avec le nouveau mot de passe.',
    submit: 'Définir le mot de passe',
    doneTitle: 'Votre mot de passe a été modifié',
    done: 'Connectez-vous avec le nouveau. Si vous utilisez un second facteur, il vous sera demandé comme d’habitude.',
    signIn: 'Se connecter',
    goneTitle: 'Ce lien n’est plus valable',
    gone: 'Il a été utilisé, il est trop ancien ou un plus récent a été envoyé. Il doit aussi être ouvert dans le navigateur où vous terminez.',
    again: 'Demander un nouveau lien',
  },
}
