/** Brazilian Portuguese: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Ir para o conteúdo',
    languages: 'Idioma',
    signIn: (service) => `Fazer login em ${service}`,
    errorSummary: 'Algo não deu certo',
    errorTitle: (title) => `Erro: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Mostrar',
    title: 'Fazer login',
    to: (client) => `para continuar em ${client}`,
    toService: (service) => `para continuar em ${service}`,
    again: 'Faça login novamente para confirmar que é você.',
    username: 'Nome de usuário',
    password: 'Senha',
    submit: 'Fazer login',
    forgot: 'Esqueceu a senha?',
    rejected: 'O nome de usuário e a senha não correspondem.',
    throttled: (wait) => `Muitas tentativas. Tente novamente em ${wait}.`,
    expired: 'Esta página ficou aberta por muito tempo. Faça login novamente.',
    providers: {
      with: (name: string) => `Continuar com ${name}`,
      problems: {
        cancelled: (name: string) => `Você não entrou com ${name}.`,
        unavailable: (name: string) =>
          `Não é possível acessar ${name} agora. Tente mais tarde ou entre de outra forma.`,
        refused: (name: string) => `A resposta de ${name} não pôde ser aceita. Tente de novo ou entre de outra forma.`,
        stale: (name: string) =>
          `${name} não pediu que você entrasse de novo. Saia de lá primeiro ou entre de outra forma.`,
        unlinked: (name: string) =>
          `Ninguém aqui está vinculado a essa conta em ${name}. Se você tem uma conta aqui, entre de outra forma e vincule ${name} nas suas formas de entrar.`,
        another: (name: string) =>
          `Sua conta aqui está vinculada a outra conta em ${name}. Entre de outra forma ou pergunte a quem administra este serviço.`,
        disabled: (name: string) => `Você não pode entrar aqui com ${name}. Pergunte a quem administra este serviço.`,
        taken: (name: string) => `Essa conta em ${name} está vinculada a outra pessoa aqui.`,
        gone: (_name: string) => 'Esta forma de entrar não é mais oferecida.',
      },
    },
  },
  passkey: {
    or: 'ou',
    use: 'Fazer login com uma chave de acesso',
    failed: 'Nenhuma chave de acesso foi usada. Tente novamente ou continue de outra forma.',
    unsupported: 'Este navegador não é compatível com chaves de acesso.',
    noScript: 'As chaves de acesso precisam de JavaScript, que está desativado neste navegador.',
  },
  secondFactor: {
    title: 'Mais uma etapa',
    lead: (username) => `Confirme que é você, ${username}.`,
    otp: 'Código do seu app autenticador',
    otpHint: 'Seis dígitos. São enviados assim que todos forem digitados.',
    remember: (time) => `Não perguntar neste navegador por ${time}`,
    submit: 'Fazer login',
    passkeyOnly: 'O app exige um login que só uma chave de acesso permite.',
    recover: 'Usar um código de recuperação',
    recoveryCode: 'Código de recuperação',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Cada código funciona uma vez. Resta # para você.',
        other: 'Cada código funciona uma vez. Restam # para você.',
      }),
    startOver: 'Fazer login de outra forma',
    rejected: 'Isso não está correto ou já foi usado.',
    throttled: (wait) => `Muitas tentativas. Tente novamente em ${wait}.`,
  },
  newPassword: {
    title: 'Escolha sua própria senha',
    lead: (username) => `para a conta ${username}`,
    why: 'Você fez login com uma senha criada para você. A partir de agora, só a nova funcionará.',
    submit: 'Definir a senha e continuar',
  },
  choose: {
    title: 'Escolha uma conta',
    to: (client) => `para continuar em ${client}`,
    signedOut: 'Desconectada',
    another: 'Usar outra conta',
  },
  forgot: {
    title: 'Esqueceu a senha?',
    lead: 'Diga quem você é e enviaremos um link para escolher uma nova.',
    named: 'Nome de usuário ou e-mail',
    submit: 'Enviar o link',
    throttled: (wait) => `Muitas solicitações. Tente novamente em ${wait}.`,
    sentTitle: 'Confira seu e-mail',
    sent: 'Se houver uma conta com esse nome e um endereço de e-mail, um link está a caminho. Ele funciona por 30 minutos.',
    sentHint: 'Não chegou nada? Veja no spam ou fale com quem administra este serviço.',
    back: 'Voltar ao login',
  },
  reset: {
    title: 'Escolha uma nova senha',
    lead: (username) => `para a conta ${username}`,
    endsAll: 'Você será desconectado em todos os lugares e depois fará login com a nova senha.',
    submit: 'Definir a senha',
    doneTitle: 'Sua senha foi alterada',
    done: 'Faça login com a nova. Se você usa um segundo fator, ele será pedido como sempre.',
    signIn: 'Fazer login',
    goneTitle: 'Este link não é mais válido',
    gone: 'Ele já foi usado, é antigo demais ou um mais recente foi enviado. Também precisa ser aberto no navegador em que você vai concluir.',
    again: 'Pedir um novo link',
  },
}
