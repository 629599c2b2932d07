/** French. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Si ce n’était pas vous, changez votre mot de passe dès maintenant et mettez fin à toute session que vous ne reconnaissez pas. Vous pouvez faire les deux sur la page de votre compte.'

export const fr: MailMessages = {
  account: 'Compte',
  app: 'Application',
  message: 'Message',
  when: 'Quand',
  device: 'Appareil',
  address: 'Adresse',
  unknownDevice: 'Inconnu',
  unknownAddress: 'Inconnue',
  labelled: (label, value) => `${label} : ${value}`,
  orOpen: 'Ou ouvrez cette adresse :',
  yourAccount: 'Votre compte',
  footer: (service) =>
    `Vous recevez cet e-mail parce que vous avez un compte sur ${service}. Les réponses à ce message ne sont pas lues.`,
  strangerFooter: (service) =>
    `Vous recevez cet e-mail parce que cette adresse a été indiquée à ${service}. Les réponses à ce message ne sont pas lues.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Choisissez un nouveau mot de passe pour ${service}`,
      title: 'Choisissez un nouveau mot de passe',
      lead: ({ service }) => `Quelqu’un, probablement vous, a demandé un nouveau mot de passe sur ${service}.`,
      button: 'Choisir un nouveau mot de passe',
      linkNote: 'Le lien ne sert qu’une fois, pendant 30 minutes. Un lien plus récent le remplace.',
      notYou:
        'Si vous n’avez rien demandé, ne faites rien : votre mot de passe reste inchangé. Ne transmettez jamais ce lien.',
    },
    sign_in_link: {
      subject: ({ service }) => `Connectez-vous à ${service}`,
      title: 'Se connecter',
      lead: ({ service }) => `Quelqu’un, sans doute vous, a demandé un lien pour se connecter à ${service}.`,
      button: 'Se connecter',
      linkNote: 'Le lien ne sert qu’une fois, pendant 10 minutes, dans le navigateur où il a été demandé.',
      notYou: 'Si vous n’avez rien demandé, ne faites rien : personne n’est connecté. Ne transmettez jamais le lien.',
    },
    sign_up: {
      subject: ({ service }) => `Créez votre compte sur ${service}`,
      title: 'Créez votre compte',
      lead: ({ service }) => `Quelqu’un, probablement vous, a demandé un compte sur ${service} avec cette adresse.`,
      button: 'Créer le compte',
      linkNote: 'Le lien ne sert qu’une fois, pendant 24 heures. Un plus récent le remplace.',
      notYou: 'Si vous n’avez rien demandé, ne faites rien : aucun compte n’est créé. Ne transmettez jamais le lien.',
    },
    account_exists: {
      subject: ({ service }) => `Vous avez déjà un compte sur ${service}`,
      title: 'Vous avez déjà un compte',
      lead: ({ service }) =>
        `Quelqu’un, probablement vous, a demandé un compte sur ${service} avec cette adresse. Il en existe un. Si vous avez oublié le mot de passe, vous pouvez en choisir un nouveau sur la page de connexion.`,
      button: 'Se connecter',
      notYou: 'Si vous n’avez rien demandé, ne faites rien : votre compte reste tel qu’il est.',
    },
    invitation: {
      subject: ({ service }) => `Vous êtes invité sur ${service}`,
      title: 'Vous êtes invité',
      lead: ({ service }) =>
        `Vous êtes invité à avoir un compte sur ${service}. Choisissez un nom et un mot de passe, et il est à vous.`,
      button: 'Accepter l’invitation',
      linkNote: 'Le lien ne sert qu’une fois et seulement pour cette adresse.',
      notYou:
        'Si vous ne savez pas de quoi il s’agit, ne faites rien : aucun compte n’est créé. Ne transmettez jamais le lien.',
    },
    deletion_requested: {
      subject: ({ service }) => `Votre compte sur ${service} va être supprimé`,
      title: 'Votre compte va être supprimé',
      lead: ({ service }) =>
        `Votre compte sur ${service} a été fermé et va être supprimé définitivement. Pour le garder, connectez-vous avant.`,
      notYou: 'Si ce n’était pas vous, connectez-vous maintenant pour garder le compte et changez votre mot de passe.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Votre compte sur ${service} est conservé`,
      title: 'Votre compte est conservé',
      lead: ({ service }) =>
        `Quelqu’un s’est connecté à votre compte sur ${service}, qui devait être supprimé. Il est conservé.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Confirmez votre adresse pour ${service}`,
      title: 'Confirmez votre adresse',
      lead: ({ service }) =>
        `Cette adresse a été saisie pour un compte sur ${service}. Confirmez-la si ce compte est le vôtre.`,
      button: 'Confirmer l’adresse',
      linkNote: 'Le lien ne sert qu’une fois, pendant 24 heures, et vous demande de vous connecter à ce compte.',
      notYou: 'Si ce compte n’est pas le vôtre, ne faites rien : l’adresse ne sera pas utilisée.',
    },
    address_changed: {
      subject: ({ service }) => `Votre adresse sur ${service} a été modifiée`,
      title: 'Votre adresse a été modifiée',
      lead: ({ service }) =>
        `Une autre adresse a été confirmée pour votre compte sur ${service}. Désormais, les e-mails y sont envoyés, et non plus ici.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Votre mot de passe sur ${service} a été modifié`,
      title: 'Votre mot de passe a été modifié',
      lead: ({ service }) =>
        `Le mot de passe de votre compte sur ${service} a été modifié et les autres sessions ont été fermées.`,
      notYou:
        'Si ce n’était pas vous, demandez dès maintenant un nouveau mot de passe sur la page de connexion et prévenez les responsables de ce service.',
    },
    signed_in: {
      subject: ({ service }) => `Nouvelle connexion à ${service}`,
      title: 'Nouvelle connexion',
      lead: ({ service }) => `Votre compte sur ${service} a été ouvert depuis un navigateur qu’il ne connaissait pas.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} a été connectée à votre compte sur ${service}`,
      title: 'Une application a été connectée',
      lead: ({ client, service }) =>
        `Vous avez autorisé ${client} à agir en votre nom sur ${service}. Sur la page de votre compte, vous pouvez voir ce qui est autorisé et le retirer.`,
      notYou:
        'Si ce n’était pas vous, supprimez dès maintenant l’application sur la page de votre compte et changez votre mot de passe.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} demande un accès sur ${service}`,
      title: 'Une application demande un accès',
      lead: ({ client, service }) =>
        `${client} demande à agir en votre nom sur ${service}. Consultez la demande sur la page de votre compte, où vous pouvez l’autoriser ou la refuser.`,
      button: 'Voir la demande',
      linkNote: 'La demande n’attend que quelques minutes.',
      notYou:
        'Si vous n’en êtes pas à l’origine, refusez ou ne faites rien : rien n’est autorisé sans vous. Personne ne devrait vous demander par téléphone ou par message de l’autoriser.',
    },
    factor_added: {
      subject: ({ service }) => `Une méthode de connexion a été ajoutée sur ${service}`,
      title: 'Une méthode de connexion a été ajoutée',
      lead: ({ service }) => `Il existe désormais une autre façon de se connecter à votre compte sur ${service}.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Une méthode de connexion a été supprimée sur ${service}`,
      title: 'Une méthode de connexion a été supprimée',
      lead: ({ service }) => `Une façon de se connecter à votre compte sur ${service} a été supprimée.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Un code de récupération a été utilisé sur ${service}`,
      title: 'Un code de récupération a été utilisé',
      lead: ({ service }) =>
        `Quelqu’un s’est connecté à votre compte sur ${service} avec l’un de vos codes de récupération. Ce code ne peut plus servir.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `E-mail de test de ${service}`,
      title: 'Tout fonctionne',
      lead: ({ service }) => `${service} peut envoyer des e-mails. L’un de ses responsables a demandé celui-ci.`,
      notYou: 'Vous n’avez rien à faire.',
    },
  },
}
