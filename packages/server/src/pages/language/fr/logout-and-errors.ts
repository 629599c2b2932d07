/** French: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Service d’autorisation',
    lead: 'On se connecte ici, et on y décide quelles applications peuvent faire quoi en son nom.',
    account: { title: 'Votre compte', lead: 'Applications autorisées, sessions et méthodes de connexion.' },
    console: { title: 'Console', lead: 'Clients, personnes, accès et clés, pour les administrateurs.' },
    discovery: {
      title: 'Document de découverte',
      lead: 'Où les clients et les API trouvent tous les points de terminaison de cet émetteur.',
    },
    problems: { title: 'Codes d’erreur', lead: 'Ce que signifie chaque erreur, et comment y remédier.' },
    tryIt: 'Essayer',
    steps: {
      token: 'Obtenir un jeton, dans un terminal',
      call: 'Appeler l’API Orders avec ce jeton',
      revoke: 'Le révoquer : le même appel est alors refusé',
      trust:
        'Faire accepter le certificat de cette machine par ses navigateurs ; la même commande avec --remove l’annule',
      browser: 'Se connecter dans un navigateur, en tant que alice avec le mot de passe alice',
      terminal: 'Se connecter depuis un terminal, à l’aide d’un code',
    },
  },
  logout: {
    title: 'Se déconnecter ?',
    asked: (client) => `${client} demande à vous déconnecter.`,
    lead: (service) => `Vous serez déconnecté de ${service} dans ce navigateur.`,
    confirm: 'Se déconnecter',
    stay: 'Rester connecté',
    doneTitle: 'Vous êtes déconnecté',
    done: (service) => `Vous n’êtes plus connecté à ${service} dans ce navigateur.`,
    back: (client) => `Retour à ${client}`,
    signInAgain: 'Se reconnecter',
    framesTitle: 'Vous êtes déconnecté',
    frames: 'Les applications que vous avez utilisées en sont informées. Cela prend un instant.',
    frame: (host) => `Déconnexion de ${host}`,
    onward: 'Continuer',
  },
  error: {
    trace: 'Identifiant de suivi',
    traceHint: 'Communiquez-le au support. Il ne révèle rien sur vous.',
    code: 'Code d’erreur',
    home: 'Aller à la page d’accueil',
    kinds: {
      request: {
        title: 'Impossible de répondre à cette demande',
        lead: 'L’application qui vous a envoyé ici a fait une demande non valide.',
        remedy: 'Retournez dans l’application et réessayez. Si cela se reproduit, prévenez ses responsables.',
      },
      client: {
        title: 'Nous ne connaissons pas cette application',
        lead: 'L’application qui vous a envoyé ici n’est pas enregistrée auprès de ce service.',
        remedy: 'Pour vous protéger, nous ne lui avons rien envoyé. Prévenez les responsables de l’application.',
      },
      missing: {
        title: 'La demande de l’application est incomplète',
        lead: 'L’application qui vous a envoyé ici a omis une information nécessaire : qui elle est, ou où la réponse doit être envoyée.',
        remedy: 'Retournez dans l’application et réessayez. Si cela se reproduit, prévenez ses responsables.',
      },
      redirect: {
        title: 'L’adresse de retour de l’application n’est pas enregistrée',
        lead: 'Nous connaissons l’application qui vous a envoyé ici, mais pas l’adresse où elle veut recevoir la réponse.',
        remedy:
          'Pour vous protéger, nous n’y avons rien envoyé. Prévenez les responsables de l’application : son redirect_uri doit être enregistré exactement tel qu’il est envoyé.',
      },
      expired: {
        title: 'Cela a pris trop de temps',
        lead: 'La demande n’est plus valable, ou il y a déjà été répondu.',
        remedy: 'Retournez dans l’application et recommencez.',
      },
      elsewhere: {
        title: 'Cette opération a commencé dans un autre navigateur',
        lead: 'Seul le navigateur qui a commencé une connexion peut la terminer.',
        remedy:
          'Retournez dans l’application avec ce navigateur et recommencez. Vérifiez que les cookies sont autorisés.',
      },
      returned: {
        title: 'Cette connexion ne peut pas être terminée ici',
        lead: 'Elle a été commencée dans un autre navigateur, a pris trop de temps ou est déjà terminée. Rien n’a été modifié.',
        remedy: 'Recommencez depuis l’application ou la page d’accueil.',
      },
      forged: {
        title: 'Le formulaire n’a pas pu être accepté',
        lead: 'Il a été envoyé depuis une autre page ou est resté ouvert trop longtemps.',
        remedy: 'Retournez dans l’application et recommencez.',
      },
      unavailable: {
        title: 'De retour dans un instant',
        lead: 'Le service ne peut pas répondre pour le moment. Rien n’a été modifié.',
        remedy: 'Patientez un peu, puis actualisez cette page.',
      },
      not_found: {
        title: 'Il n’y a rien ici',
        lead: 'Cette page n’existe pas, ou n’existe plus.',
        remedy: 'Vérifiez l’adresse.',
      },
      internal: {
        title: 'Une erreur s’est produite de notre côté',
        lead: 'Nous n’avons pas pu répondre à la demande. L’incident a été consigné.',
        remedy: 'Réessayez. Si cela se reproduit, communiquez l’identifiant de suivi au support.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Impossible de répondre à cette demande',
        lead: (client) => `${client} a demandé quelque chose qui ne lui a pas été accordé.`,
      },
      denied: {
        title: 'L’accès n’a pas été accordé',
        lead: (client) => `${client} n’a pas obtenu l’accès à votre compte.`,
      },
      signedOut: {
        title: 'Vous êtes déconnecté',
        lead: (client) => `${client} souhaite que vous reveniez.`,
      },
    },
    unchecked: (service) =>
      `Cette application s’est enregistrée elle-même, et vous ne lui avez rien autorisé ici. ${service} n’a pas vérifié où elle mène : ne continuez que si vous connaissez cette adresse.`,
    address: 'Son adresse',
    go: (host) => `Aller sur ${host}`,
  },
  problem: {
    happened: 'Ce qui s’est passé',
    why: 'Pourquoi',
    remedy: 'Que faire',
    source: 'Défini dans',
    status: 'Statut HTTP',
    all: 'Tous les codes d’erreur',
    allLead: 'Toutes les erreurs que ce service et les API qu’il protège peuvent renvoyer.',
    unknownTitle: 'Code d’erreur inconnu',
    unknown: 'Ce service n’a pas d’erreur de ce nom.',
    families: {
      authorize: 'Dans le navigateur : la réponse d’autorisation',
      token: 'Hors du navigateur : jetons et autres points de terminaison',
      api: 'Auprès d’une API protégée : types de problèmes',
    },
  },
}
