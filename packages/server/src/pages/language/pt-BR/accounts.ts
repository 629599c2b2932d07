/** Brazilian Portuguese: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Criar uma conta',
    title: 'Criar uma conta',
    lead: 'Enviamos um link para o seu endereço de e-mail. A conta é criada quando você o abre.',
    email: 'Endereço de e-mail',
    submit: 'Enviar o link',
    domain: 'Aqui as contas são apenas para endereços de certas organizações.',
    sent: 'Um e-mail está a caminho desse endereço. O link nele funciona uma vez, por 24 horas.',
    sentHint: 'Não chegou nada? Veja no spam ou confira como você escreveu o endereço.',
  },
  newAccount: {
    title: 'Sua nova conta',
    lead: (email) => `para ${email}`,
    name: 'Seu nome',
    submit: 'Criar a conta',
    unreadable: 'Escreva um nome legível de no máximo 200 caracteres.',
    gone: 'Ele já foi usado, é antigo demais ou um mais recente foi enviado. Se você já tem uma conta, faça login.',
  },
  terms: {
    title: 'Termos de uso',
    lead: 'Para continuar, leia os termos de uso e aceite-os.',
    read: (version) => `Ler os termos de uso, versão ${version}`,
    agree: 'Aceito os termos de uso',
    submit: 'Aceitar e continuar',
    required: 'Para continuar, você precisa aceitar os termos de uso.',
  },
  profile: {
    lead: 'O que os apps podem saber de você quando você permite.',
    given: 'Nome',
    family: 'Sobrenome',
    locale: 'Idioma',
    zone: 'Fuso horário',
    picture: 'Imagem',
    pictureHint: 'Um endereço https.',
    submit: 'Salvar',
    invalid: 'Assim não é possível salvar.',
  },
  ownData: {
    lead: 'O que é guardado sobre você, e como encerrar isso.',
    downloadTitle: 'Baixar seus dados',
    downloadLead: 'Tudo o que é guardado sobre você, em um arquivo JSON. Ele não contém senhas nem chaves.',
    download: 'Baixar',
    deleteTitle: 'Excluir sua conta',
    deleteLead: (date) =>
      `Você sai de todos os lugares imediatamente, e todos os apps perdem o acesso. Até ${date}, você pode voltar fazendo login. Depois disso, sua conta e tudo o que é guardado sobre você são excluídos para sempre.`,
    submit: 'Excluir minha conta',
    stale: 'Seu login foi feito há muito tempo. Saia, faça login novamente e volte aqui.',
    lastOwner: 'Você é o último proprietário aqui. Primeiro, torne outra pessoa proprietária.',
    deletedTitle: 'Sua conta será excluída',
    deleted: (date) => `Ela será excluída para sempre em ${date}. Para mantê-la, faça login antes disso.`,
  },
}
