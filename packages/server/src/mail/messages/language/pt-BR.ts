/** Brazilian Portuguese. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Se não foi você, altere sua senha agora e encerre todas as sessões que não reconhece. Você faz as duas coisas na página da sua conta.'

export const ptBR: MailMessages = {
  account: 'Conta',
  app: 'App',
  message: 'Mensagem',
  when: 'Quando',
  device: 'Dispositivo',
  address: 'Endereço',
  unknownDevice: 'Desconhecido',
  unknownAddress: 'Desconhecido',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'Ou abra este endereço:',
  yourAccount: 'Sua conta',
  footer: (service) => `Você recebe este e-mail porque tem uma conta em ${service}. As respostas a ele não são lidas.`,
  strangerFooter: (service) =>
    `Você recebe este e-mail porque este endereço foi informado a ${service}. As respostas a ele não são lidas.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Escolha uma nova senha para ${service}`,
      title: 'Escolha uma nova senha',
      lead: ({ service }) => `Alguém, provavelmente você, pediu uma nova senha em ${service}.`,
      button: 'Escolher uma nova senha',
      linkNote: 'O link funciona uma vez, por 30 minutos. Um mais recente o substitui.',
      notYou: 'Se você não pediu isto, não faça nada: sua senha continua a mesma. Nunca repasse o link.',
    },
    sign_in_link: {
      subject: ({ service }) => `Entre em ${service}`,
      title: 'Entrar',
      lead: ({ service }) => `Alguém, provavelmente você, pediu um link para entrar em ${service}.`,
      button: 'Entrar',
      linkNote: 'O link funciona uma vez, por 10 minutos, no navegador em que foi pedido.',
      notYou: 'Se você não pediu isto, não faça nada: ninguém entra. Nunca repasse o link.',
    },
    sign_up: {
      subject: ({ service }) => `Crie sua conta em ${service}`,
      title: 'Crie sua conta',
      lead: ({ service }) => `Alguém, provavelmente você, pediu uma conta em ${service} com este endereço.`,
      button: 'Criar a conta',
      linkNote: 'O link funciona uma vez, por 24 horas. Um mais recente o substitui.',
      notYou: 'Se você não pediu isto, não faça nada: nenhuma conta é criada. Nunca repasse o link.',
    },
    account_exists: {
      subject: ({ service }) => `Você já tem uma conta em ${service}`,
      title: 'Você já tem uma conta',
      lead: ({ service }) =>
        `Alguém, provavelmente você, pediu uma conta em ${service} com este endereço. Já existe uma. Se você esqueceu a senha, pode escolher outra na página de login.`,
      button: 'Fazer login',
      notYou: 'Se você não pediu isto, não faça nada: sua conta continua como está.',
    },
    invitation: {
      subject: ({ service }) => `Você recebeu um convite para ${service}`,
      title: 'Você recebeu um convite',
      lead: ({ service }) =>
        `Você recebeu um convite para ter uma conta em ${service}. Escolha um nome e uma senha, e ela é sua.`,
      button: 'Aceitar o convite',
      linkNote: 'O link funciona uma vez e apenas para este endereço.',
      notYou: 'Se você não sabe do que se trata, não faça nada: nenhuma conta é criada. Nunca repasse o link.',
    },
    deletion_requested: {
      subject: ({ service }) => `Sua conta em ${service} será excluída`,
      title: 'Sua conta será excluída',
      lead: ({ service }) =>
        `Sua conta em ${service} foi encerrada e será excluída para sempre. Para mantê-la, faça login antes disso.`,
      notYou: 'Se não foi você, faça login agora para manter a conta e altere sua senha.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Sua conta em ${service} foi mantida`,
      title: 'Sua conta foi mantida',
      lead: ({ service }) => `Alguém fez login na sua conta em ${service}, que seria excluída. Ela foi mantida.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Confirme seu endereço para ${service}`,
      title: 'Confirme seu endereço',
      lead: ({ service }) => `Este endereço foi informado para uma conta em ${service}. Confirme se a conta é sua.`,
      button: 'Confirmar endereço',
      linkNote: 'O link funciona uma vez, por 24 horas, e pede que você faça login nessa conta.',
      notYou: 'Se a conta não é sua, não faça nada: o endereço não será usado.',
    },
    address_changed: {
      subject: ({ service }) => `Seu endereço em ${service} foi alterado`,
      title: 'Seu endereço foi alterado',
      lead: ({ service }) =>
        `Outro endereço foi confirmado para sua conta em ${service}. A partir de agora, os e-mails vão para lá, e não mais para cá.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Sua senha em ${service} foi alterada`,
      title: 'Sua senha foi alterada',
      lead: ({ service }) => `A senha da sua conta em ${service} foi alterada, e as outras sessões foram encerradas.`,
      notYou: 'Se não foi você, peça agora uma nova senha na página de login e avise quem administra este serviço.',
    },
    signed_in: {
      subject: ({ service }) => `Novo login em ${service}`,
      title: 'Novo login',
      lead: ({ service }) => `Houve um login na sua conta em ${service} a partir de um navegador que ela não conhecia.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} foi conectado à sua conta em ${service}`,
      title: 'Um app foi conectado',
      lead: ({ client, service }) =>
        `Você permitiu que ${client} aja em seu nome em ${service}. Na página da sua conta, você pode ver o que ele pode fazer e retirar a permissão.`,
      notYou: 'Se não foi você, remova o app agora na página da sua conta e altere sua senha.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} pede acesso em ${service}`,
      title: 'Um app pede acesso',
      lead: ({ client, service }) =>
        `${client} pede para agir em seu nome em ${service}. Veja o que ele pede na página da sua conta e permita ou negue por lá.`,
      button: 'Ver o pedido',
      linkNote: 'O pedido espera só por alguns minutos.',
      notYou:
        'Se não foi você quem iniciou isto, negue ou não faça nada: sem você, nada é permitido. Ninguém que ligue ou escreva para você deveria pedir que permita.',
    },
    factor_added: {
      subject: ({ service }) => `Um método de login foi adicionado em ${service}`,
      title: 'Um método de login foi adicionado',
      lead: ({ service }) => `Agora é possível fazer login de outra forma na sua conta em ${service}.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Um método de login foi removido em ${service}`,
      title: 'Um método de login foi removido',
      lead: ({ service }) => `Uma forma de fazer login na sua conta em ${service} foi removida.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Um código de recuperação foi usado em ${service}`,
      title: 'Um código de recuperação foi usado',
      lead: ({ service }) =>
        `Alguém fez login na sua conta em ${service} com um dos seus códigos de recuperação. Esse código não vale mais.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `E-mail de teste de ${service}`,
      title: 'Funciona',
      lead: ({ service }) => `${service} pode enviar e-mails. Alguém que o administra pediu este.`,
      notYou: 'Não é preciso fazer nada.',
    },
  },
}
